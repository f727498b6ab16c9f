import { z } from 'zod';
import type { OperatedWallet, placeWalletLien } from '#modules/wallets';
import { amountOut, toMajor } from '../../http/amount.ts';
import { text } from '../../http/text.ts';

const moment = z.iso.datetime();

export const walletParams = z.object({ reference: text(100) });

/** Why an operator does what is written to the audit log. */
export const reason = text(500);

/** Of daily limits. */
export const tier = z.union([z.literal(1), z.literal(2), z.literal(3)], { error: 'must be 1, 2 or 3' });

export const lienShape = z.object({
  id: z.int(),
  amount: amountOut,
  reason: z.string(),
  createdAt: moment,
  liftedAt: moment.optional(),
});

export const walletShape = z.object({
  id: z.int(),
  reference: z.string(),
  partnerId: z.uuid(),
  customerId: z.uuid().optional(),
  paytag: z.string().optional(),
  kycProfileId: z.int().optional(),
  name: z.string(),
  nuban: z.string(),
  currency: z.enum(['NGN', 'FP']),
  status: z.enum(['Enabled', 'Blocked', 'PND', 'PNC']),
  tier: z.int(),
  dailyLimit: amountOut.meta({ description: 'What may be spent in a day, in Lagos' }),
  dailyLimitFrom: z.enum(['tier', 'operator']),
  spentToday: amountOut,
  totalAmount: amountOut,
  suspendedAmount: amountOut,
  blockedAmount: amountOut,
  availableAmount: amountOut,
  liens: z.array(lienShape).meta({ description: 'Those in force' }),
  isPrimary: z.boolean(),
  revokedAt: moment.nullable(),
  createdAt: moment,
  updatedAt: moment,
});

export const toLien = (lien: Awaited<ReturnType<typeof placeWalletLien>>): z.input<typeof lienShape> => ({
  id: lien.id,
  amount: toMajor(lien.amount),
  reason: lien.reason,
  createdAt: lien.createdAt.toISOString(),
  liftedAt: lien.liftedAt?.toISOString(),
});

export function toWallet({ view, ...operated }: OperatedWallet): z.input<typeof walletShape> {
  const { wallet } = view;
  return {
    id: view.id,
    reference: view.reference,
    partnerId: operated.partnerId,
    customerId: operated.customerId,
    paytag: view.payTag?.tag,
    kycProfileId: view.kycProfile?.id,
    name: wallet.name,
    nuban: wallet.nuban,
    currency: wallet.currency,
    status: wallet.status,
    tier: operated.tier,
    dailyLimit: toMajor(operated.dailyLimit.limit),
    dailyLimitFrom: operated.hasOwnLimit ? 'operator' : 'tier',
    spentToday: toMajor(operated.dailyLimit.spent),
    totalAmount: toMajor(wallet.amounts.total),
    suspendedAmount: toMajor(wallet.amounts.suspended),
    blockedAmount: toMajor(wallet.amounts.blocked),
    availableAmount: toMajor(wallet.amounts.available),
    liens: operated.liens.map(toLien),
    isPrimary: operated.isPrimary,
    revokedAt: view.revokedAt?.toISOString() ?? null,
    createdAt: view.createdAt.toISOString(),
    updatedAt: wallet.updatedAt.toISOString(),
  };
}
