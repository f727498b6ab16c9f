import { z } from 'zod';
import type { AccountView } from '#modules/collections';
import { accountNumber, bankCode } from './bank-account.ts';
import { momentOut } from './moment.ts';

/** An account number of a wallet at a provider's bank. */
export const accountShape = z.object({
  AccountNumber: accountNumber.meta({ description: 'Money that is paid to it reaches the wallet' }),
  BankName: z.string().meta({ example: 'Paystack-Titan' }),
  BankCode: bankCode,
  AccountName: z.string().meta({ description: 'As whoever pays to it sees it', example: 'PAYTAG/OBI ADA' }),
  Provider: z.string().meta({ example: 'paystack' }),
  CreatedAt: momentOut,
});

export const toAccount = (view: AccountView): z.input<typeof accountShape> => ({
  AccountNumber: view.accountNumber,
  BankName: view.bankName,
  BankCode: view.bankCode,
  AccountName: view.accountName,
  Provider: view.provider,
  CreatedAt: view.createdAt.toISOString(),
});
