import { z } from 'zod';
import type { FoundSplit, Terminal } from '#modules/terminals';
import { metadataOut } from '#wire/metadata.ts';
import { momentOut } from '#wire/moment.ts';
import { amountOut, currencyCode, toMajor } from '#wire/money.ts';
import { personal } from '#wire/personal.ts';

/** A terminal, as the operator sees it. */
export const terminalShape = z.object({
  partnerId: z.uuid(),
  serialNumber: z.string(),
  terminalId: z.string().optional(),
  merchant: z.string().optional(),
  email: personal(z.string(), 'email').optional(),
  phoneNumber: personal(z.string(), 'number').optional(),
  paytag: z.string().optional(),
  status: z.string(),
  balance: amountOut.meta({ description: 'What its payments have brought into the float, less the charges' }),
  createdAt: momentOut,
  metadata: personal(metadataOut, 'values').optional(),
});

export const toTerminal = ({ id: _id, balance, createdAt, ...terminal }: Terminal): z.input<typeof terminalShape> => ({
  ...terminal,
  balance: toMajor(balance),
  createdAt: createdAt.toISOString(),
});

export const splitStatus = z.enum(['Pending', 'Paid', 'Cancelled', 'Expired'] satisfies FoundSplit['status'][]);

/** A split, with the terminal that it is paid at. */
export const foundSplitShape = z.object({
  reference: z.string(),
  terminal: z.string().meta({ description: 'Serial number of the terminal' }),
  partnerId: z.uuid(),
  status: splitStatus,
  currency: currencyCode,
  amount: amountOut,
  totalPaid: amountOut,
  remaining: amountOut,
  title: personal(z.string(), 'text'),
  description: personal(z.string(), 'text').optional(),
  createdAt: momentOut,
  updatedAt: momentOut,
  expiresAt: momentOut.optional(),
});

export const toFoundSplit = ({ serialNumber, ...split }: FoundSplit): z.input<typeof foundSplitShape> => ({
  ...split,
  terminal: serialNumber,
  currency: 'NGN',
  amount: toMajor(split.amount),
  totalPaid: toMajor(split.totalPaid),
  remaining: toMajor(split.remaining),
  createdAt: split.createdAt.toISOString(),
  updatedAt: split.updatedAt.toISOString(),
  expiresAt: split.expiresAt?.toISOString(),
});
