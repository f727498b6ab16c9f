import { z } from 'zod';
import type { LinkedAccount } from '#modules/bank-accounts';
import { momentOut } from '#wire/moment.ts';

/** The bank account that a customer linked. */
export const bankAccountShape = z
  .object({
    accountNumber: z.string().meta({ example: '0123456789' }),
    bankCode: z.string().meta({ example: '058' }),
    bankName: z.string().meta({ example: 'Guaranty Trust Bank' }),
    accountName: z.string().meta({ description: 'As the bank writes it', example: 'OBI ADA' }),
    linkedAt: momentOut,
  })
  .meta({ id: 'BankAccount' });

export const toBankAccount = ({ linkedAt, ...account }: LinkedAccount) => ({
  ...account,
  linkedAt: linkedAt.toISOString(),
});
