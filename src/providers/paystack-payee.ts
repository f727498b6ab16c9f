import { z } from 'zod';
import type { SaidPayee } from './payout/payee.ts';

const member = z.string().max(50).optional().catch(undefined);

/** The recipient of a transfer, as far as an answer or a message names it: it may be a number, or without its account. */
export const recipientShape = z
  .object({ details: z.object({ account_number: member, bank_code: member }) })
  .optional()
  .catch(undefined);

/** Whom Paystack says that a transfer goes to. */
export const payeeOf = (recipient: z.output<typeof recipientShape>): SaidPayee => ({
  accountNumber: recipient?.details.account_number,
  bankCode: recipient?.details.bank_code,
});
