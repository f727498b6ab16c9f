import { z } from 'zod';
import type { AccountView } from '#modules/collections';
import type { Amounts } from '#modules/ledger';
import type { PartnerWalletView } from '#modules/wallets';
import { momentOut } from './moment.ts';
import { amountOut, currencyCode, toMajor } from './money.ts';
import { metadataOut } from './text.ts';

/** The number of an account at a bank. */
export const accountNumber = z
  .string()
  .regex(/^\d{10}$/, 'must have 10 digits')
  .meta({ example: '0123456789' });

/** Which bank. */
export const bankCode = z
  .string()
  .regex(/^[0-9A-Z]{3,9}$/, 'must be a bank code, as 058')
  .meta({ example: '058' });

export const walletStatus = z.enum(['Enabled', 'Blocked', 'PND', 'PNC']);

/** Of daily limits. */
export const tier = z.literal([1, 2, 3], { error: 'must be 1, 2 or 3' }).meta({ type: 'integer', format: 'int32' });

/** What stands in a wallet or a float, as partners are shown it. */
export const balances = {
  TotalAmount: amountOut,
  SuspendedAmount: amountOut,
  BlockedAmount: amountOut,
  AvailableAmount: amountOut,
};

/** Amounts of an account, in major units. */
export const toBalances = ({ total, suspended, blocked, available }: Amounts) => ({
  TotalAmount: toMajor(total),
  SuspendedAmount: toMajor(suspended),
  BlockedAmount: toMajor(blocked),
  AvailableAmount: toMajor(available),
});

/** The same, as applications and the operator are shown it. */
export const camelCaseBalances = {
  totalAmount: amountOut,
  suspendedAmount: amountOut,
  blockedAmount: amountOut,
  availableAmount: amountOut,
};

/** The same, for applications and the operator. */
export const toCamelCaseBalances = ({ total, suspended, blocked, available }: Amounts) => ({
  totalAmount: toMajor(total),
  suspendedAmount: toMajor(suspended),
  blockedAmount: toMajor(blocked),
  availableAmount: toMajor(available),
});

const payTagExample = { Tag: 'ada', Name: 'Ada Ngozi Obi', Email: 'ada@example.com', Phone: '+2348031234567' };

export const payTagShape = z
  .object({
    Tag: z.string().optional(),
    Name: z.string().optional(),
    Email: z.string().optional(),
    Phone: z.string().optional(),
    ImageUrl: z.string().optional(),
  })
  .meta({ id: 'PayTag', example: payTagExample });

/** The PayTag behind a wallet, where there is one. */
export const toPayTag = (payTag: PartnerWalletView['payTag']): z.input<typeof payTagShape> | undefined =>
  payTag && {
    Tag: payTag.tag,
    Name: payTag.name,
    Email: payTag.email,
    Phone: payTag.phone,
    ImageUrl: payTag.imageUrl,
  };

/** A wallet in which part of the money is held, and part of it may not be spent. */
export const walletExample = {
  ID: 12,
  CreatedAt: '2026-01-15T09:30:00.000Z',
  UpdatedAt: '2026-01-31T08:00:00.000Z',
  TotalAmount: 26_500.5,
  SuspendedAmount: 1000,
  BlockedAmount: 500.5,
  AvailableAmount: 25_000,
  Amount: 26_500.5,
  Currency: 'NGN',
  Status: 'Enabled',
  Nuban: '1000000014',
  Type: { Name: 'PayTag' },
  PayTag: payTagExample,
  Name: 'Ada Ngozi Obi',
} as const;

export const walletShape = z
  .object({
    ID: z.int(),
    CreatedAt: momentOut,
    UpdatedAt: momentOut,
    ...balances,
    Amount: amountOut,
    Currency: currencyCode,
    Status: walletStatus,
    Nuban: z.string(),
    Metadata: metadataOut.optional().meta({ description: 'As the partner gave it when the wallet was opened' }),
    Type: z.object({ Name: z.string() }).optional(),
    PayTag: payTagShape.optional(),
    Name: z.string().optional(),
  })
  .meta({ id: 'Wallet', example: walletExample });

/** A wallet as its partner and its customer see it. `Amount` is all that stands in it. */
export function toWallet({ wallet, payTag }: PartnerWalletView): z.input<typeof walletShape> {
  return {
    ID: wallet.id,
    CreatedAt: wallet.createdAt.toISOString(),
    UpdatedAt: wallet.updatedAt.toISOString(),
    ...toBalances(wallet.amounts),
    Amount: toMajor(wallet.amounts.total),
    Currency: wallet.currency,
    Status: wallet.status,
    Nuban: wallet.nuban,
    Metadata: wallet.metadata,
    Type: { Name: wallet.type },
    PayTag: toPayTag(payTag),
    Name: wallet.name,
  };
}

/** An account number of a wallet at a provider's bank. */
export const accountShape = z.object({
  AccountNumber: accountNumber.meta({ description: 'Money that is paid to it reaches the wallet' }),
  BankName: z.string().meta({ example: 'Paystack-Titan' }),
  BankCode: bankCode,
  AccountName: z.string().meta({ description: 'As the payer sees it', example: 'PAYTAG/OBI ADA' }),
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
