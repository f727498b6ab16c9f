import { z } from 'zod';
import type { ListedWallet, OperatedWallet, placeWalletLien } from '#modules/wallets';
import { amountOut, toMajor } from '#wire/money.ts';
import { optional, text } from '#wire/text.ts';

const moment = z.iso.datetime();

export const walletParams = z.object({ reference: text(100) });

/** Why an operator does what is written to the audit log. */
export const reason = text(500);

/** The same, where the change says enough by itself. */
export const optionalReason = optional(reason);

/** Of daily limits. */
export const tier = z.union([z.literal(1), z.literal(2), z.literal(3)], { error: 'must be 1, 2 or 3' });

export const lienShape = z.object({
  id: z.int(),
  amount: amountOut,
  reason: z.string(),
  createdAt: moment,
  liftedAt: moment.optional(),
});

/** A wallet in a list. */
export const listedWalletShape = z.object({
  id: z.int(),
  reference: z.string().meta({ example: 'PW-0f8c2d6b7a914e35b2c1d0e9f8a7b6c5' }),
  partnerId: z.uuid(),
  customerId: z.uuid().optional(),
  paytag: z.string().optional(),
  kycProfileId: z.int().optional(),
  name: z.string(),
  nuban: z.string(),
  currency: z.enum(['NGN', 'FP']),
  status: z.enum(['Enabled', 'Blocked', 'PND', 'PNC']),
  totalAmount: amountOut,
  suspendedAmount: amountOut,
  blockedAmount: amountOut,
  availableAmount: amountOut,
  isPrimary: z.boolean(),
  revokedAt: moment.nullable(),
  createdAt: moment,
  updatedAt: moment,
});

/** A wallet by itself, with the rules it is held to. */
export const walletShape = listedWalletShape.extend({
  tier: z.int(),
  dailyLimit: amountOut.meta({ description: 'What may be spent in a day, in Lagos' }),
  dailyLimitFrom: z.enum(['tier', 'operator']),
  spentToday: amountOut,
  liens: z.array(lienShape).meta({ description: 'Those in force' }),
});

export const toLien = (lien: Awaited<ReturnType<typeof placeWalletLien>>): z.input<typeof lienShape> => ({
  id: lien.id,
  amount: toMajor(lien.amount),
  reason: lien.reason,
  createdAt: lien.createdAt.toISOString(),
  liftedAt: lien.liftedAt?.toISOString(),
});

export function toListedWallet({ view, ...listed }: ListedWallet): z.input<typeof listedWalletShape> {
  const { wallet } = view;
  return {
    id: view.id,
    reference: view.reference,
    partnerId: listed.partnerId,
    customerId: listed.customerId,
    paytag: view.payTag?.tag,
    kycProfileId: view.kycProfile?.id,
    name: wallet.name,
    nuban: wallet.nuban,
    currency: wallet.currency,
    status: wallet.status,
    totalAmount: toMajor(wallet.amounts.total),
    suspendedAmount: toMajor(wallet.amounts.suspended),
    blockedAmount: toMajor(wallet.amounts.blocked),
    availableAmount: toMajor(wallet.amounts.available),
    isPrimary: listed.isPrimary,
    revokedAt: view.revokedAt?.toISOString() ?? null,
    createdAt: view.createdAt.toISOString(),
    updatedAt: wallet.updatedAt.toISOString(),
  };
}

export const toWallet = (operated: OperatedWallet): z.input<typeof walletShape> => ({
  ...toListedWallet(operated),
  tier: operated.tier,
  dailyLimit: toMajor(operated.dailyLimit.limit),
  dailyLimitFrom: operated.hasOwnLimit ? 'operator' : 'tier',
  spentToday: toMajor(operated.dailyLimit.spent),
  liens: operated.liens.map(toLien),
});
