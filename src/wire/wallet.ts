import { z } from 'zod';
import type { PartnerWalletView, Transaction } from '#modules/wallets';
import { amountOut, toMajor } from './money.ts';

const moment = z.iso.datetime();

export const payTagShape = z
  .object({
    Tag: z.string().optional(),
    Name: z.string().optional(),
    Email: z.string().optional(),
    Phone: z.string().optional(),
    ImageUrl: z.string().optional(),
  })
  .meta({ id: 'PayTag' });

export const walletShape = z
  .object({
    ID: z.int(),
    CreatedAt: moment,
    UpdatedAt: moment,
    TotalAmount: amountOut,
    SuspendedAmount: amountOut,
    BlockedAmount: amountOut,
    AvailableAmount: amountOut,
    Amount: amountOut,
    Currency: z.enum(['NGN', 'FP']),
    Status: z.enum(['Enabled', 'Blocked', 'PND', 'PNC']),
    Nuban: z.string(),
    Metadata: z.record(z.string(), z.unknown()).optional(),
    Type: z.object({ Name: z.string() }).optional(),
    PayTag: payTagShape.optional(),
    Name: z.string().optional(),
  })
  .meta({ id: 'Wallet' });

export const partnerWalletShape = z
  .object({
    ID: z.int(),
    Reference: z.string(),
    RevokedAt: moment.nullable(),
    CreatedAt: moment,
    UpdatedAt: moment,
    PayTag: payTagShape.optional(),
    Wallet: walletShape,
    KycProfile: z.object({ ID: z.int(), Name: z.string() }).optional(),
  })
  .meta({ id: 'PartnerWallet' });

export const transactionShape = z
  .object({
    ID: z.int(),
    Type: z.string(),
    Amount: amountOut,
    Fee: amountOut,
    Commission: amountOut,
    Net: amountOut,
    Currency: z.enum(['NGN', 'FP']),
    Status: z.enum(['Pending', 'Successful', 'Failed', 'Reversed']),
    Reference: z.string(),
    ExternalReference: z.string().optional(),
    Comment: z.string().optional(),
    OpeningBalance: amountOut.optional(),
    ClosingBalance: amountOut.optional(),
    CreatedAt: moment,
    CompletedAt: moment.optional(),
    Metadata: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Transaction' });

export const toPayTag = (payTag: PartnerWalletView['payTag']): z.input<typeof payTagShape> | undefined =>
  payTag && {
    Tag: payTag.tag,
    Name: payTag.name,
    Email: payTag.email,
    Phone: payTag.phone,
    ImageUrl: payTag.imageUrl,
  };

export function toWallet({ wallet, payTag }: PartnerWalletView): z.input<typeof walletShape> {
  return {
    ID: wallet.id,
    CreatedAt: wallet.createdAt.toISOString(),
    UpdatedAt: wallet.updatedAt.toISOString(),
    TotalAmount: toMajor(wallet.amounts.total),
    SuspendedAmount: toMajor(wallet.amounts.suspended),
    BlockedAmount: toMajor(wallet.amounts.blocked),
    AvailableAmount: toMajor(wallet.amounts.available),
    Amount: toMajor(wallet.amounts.total),
    Currency: wallet.currency,
    Status: wallet.status,
    Nuban: wallet.nuban,
    Type: { Name: wallet.type },
    PayTag: toPayTag(payTag),
    Name: wallet.name,
  };
}

export function toPartnerWallet(view: PartnerWalletView): z.input<typeof partnerWalletShape> {
  return {
    ID: view.id,
    Reference: view.reference,
    RevokedAt: view.revokedAt?.toISOString() ?? null,
    CreatedAt: view.createdAt.toISOString(),
    UpdatedAt: view.updatedAt.toISOString(),
    PayTag: toPayTag(view.payTag),
    Wallet: toWallet(view),
    KycProfile: view.kycProfile && { ID: view.kycProfile.id, Name: view.kycProfile.name },
  };
}

const majorOrNone = (amount: bigint | undefined): number | undefined =>
  amount === undefined ? undefined : toMajor(amount);

export const toTransaction = (transaction: Transaction): z.input<typeof transactionShape> => ({
  ID: transaction.id,
  Type: transaction.type,
  Amount: toMajor(transaction.amount),
  Fee: toMajor(transaction.fee),
  Commission: toMajor(transaction.commission),
  Net: toMajor(transaction.net),
  Currency: transaction.currency,
  Status: transaction.status,
  Reference: transaction.reference,
  ExternalReference: transaction.externalReference,
  Comment: transaction.comment,
  OpeningBalance: majorOrNone(transaction.openingBalance),
  ClosingBalance: majorOrNone(transaction.closingBalance),
  CreatedAt: transaction.createdAt.toISOString(),
  CompletedAt: transaction.completedAt?.toISOString(),
  Metadata: transaction.metadata,
});
