import { z } from 'zod';
import {
  type CustomerForOperator,
  customerStatuses,
  type ListedCustomer,
  type MaskedCustomer,
} from '#modules/accounts';
import { momentOut } from '#wire/moment.ts';
import { personal } from '#wire/personal.ts';
import { listedWalletShape, toListedWallet } from './wallet.ts';

export const customerStatus = z.enum(customerStatuses);

/** A customer as a search shows them: what could harm them is masked. */
export const maskedCustomerShape = z.object({
  id: z.uuid(),
  paytag: z.string().meta({ example: 'ada' }),
  paytagStatus: z.enum(['ACTIVE', 'SUSPENDED', 'CLOSED']),
  name: personal(z.string().meta({ example: 'Ada Obi' }), 'name'),
  status: customerStatus,
  bvn: z.string().optional().meta({ example: '*******1234' }),
  phone: z.string().optional().meta({ example: '+234********67' }),
  email: z.string().optional().meta({ example: 'a***@example.com' }),
  yearOfBirth: z.int().optional(),
  hasAddress: z.boolean(),
  hasPassword: z.boolean().meta({ description: 'false: onboarding was not completed' }),
  frozenAt: momentOut.optional(),
  bvnHandedBackAt: momentOut.optional(),
  erasedAt: momentOut.optional(),
  createdAt: momentOut,
  updatedAt: momentOut,
});

/** A customer in a list. */
export const listedCustomerShape = maskedCustomerShape.omit({
  bvn: true,
  phone: true,
  email: true,
  yearOfBirth: true,
  hasAddress: true,
});

export const toListedCustomer = ({
  tag,
  tagStatus,
  ...customer
}: ListedCustomer): z.input<typeof listedCustomerShape> => ({
  ...customer,
  paytag: tag,
  paytagStatus: tagStatus,
  frozenAt: customer.frozenAt?.toISOString(),
  bvnHandedBackAt: customer.bvnHandedBackAt?.toISOString(),
  erasedAt: customer.erasedAt?.toISOString(),
  createdAt: customer.createdAt.toISOString(),
  updatedAt: customer.updatedAt.toISOString(),
});

/** A customer by themselves. */
export const customerShape = maskedCustomerShape.extend({
  wallets: z.array(listedWalletShape).meta({ description: 'At all partners, newest first, the revoked ones included' }),
  sessions: z
    .array(z.object({ partnerId: z.uuid(), issuedAt: momentOut, expiresAt: momentOut }))
    .meta({ description: 'Where they are logged in, newest first' }),
});

/** A customer as a search shows them. */
export const toMaskedCustomer = ({
  id,
  tag,
  tagStatus,
  name,
  status,
  ...customer
}: MaskedCustomer): z.input<typeof maskedCustomerShape> => ({
  id,
  paytag: tag,
  paytagStatus: tagStatus,
  name,
  status,
  bvn: customer.bvn,
  phone: customer.phone,
  email: customer.email,
  yearOfBirth: customer.yearOfBirth,
  hasAddress: customer.hasAddress,
  hasPassword: customer.hasPassword,
  frozenAt: customer.frozenAt?.toISOString(),
  bvnHandedBackAt: customer.bvnHandedBackAt?.toISOString(),
  erasedAt: customer.erasedAt?.toISOString(),
  createdAt: customer.createdAt.toISOString(),
  updatedAt: customer.updatedAt.toISOString(),
});

/** A customer with their wallets and sessions. */
export const toCustomer = (customer: CustomerForOperator): z.input<typeof customerShape> => ({
  ...toMaskedCustomer(customer),
  wallets: customer.wallets.map(toListedWallet),
  sessions: customer.sessions.map(({ partnerId, issuedAt, expiresAt }) => ({
    partnerId,
    issuedAt: issuedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  })),
});
