import { z } from 'zod';
import type { OperatorWalletSummary, OperatorWalletView, placeWalletLien } from '#modules/wallets';
import { momentOut } from '#wire/moment.ts';
import { amountOut, currencyCode, toMajor } from '#wire/money.ts';
import { personal } from '#wire/personal.ts';
import { text } from '#wire/text.ts';
import { camelCaseBalances, toCamelCaseBalances, walletStatus } from '#wire/wallet.ts';

/** The path of an operation on one wallet. */
export const walletParams = z.object({ reference: text(100) });

export const lienShape = z.object({
  id: z.int(),
  amount: amountOut,
  reason: personal(z.string(), 'prose'),
  createdAt: momentOut,
  liftedAt: momentOut.optional(),
});

/** A wallet in a list. */
export const listedWalletShape = z.object({
  id: z.int(),
  reference: z.string().meta({ example: 'PW-0f8c2d6b7a914e35b2c1d0e9f8a7b6c5' }),
  partnerId: z.uuid(),
  customerId: z.uuid().optional(),
  paytag: z.string().optional(),
  kycProfileId: z.int().optional(),
  name: personal(z.string(), 'name'),
  nuban: personal(z.string(), 'number'),
  currency: currencyCode,
  status: walletStatus,
  ...camelCaseBalances,
  isPrimary: z.boolean(),
  revokedAt: momentOut.nullable(),
  createdAt: momentOut,
  updatedAt: momentOut,
});

/** A wallet by itself, with the rules it is held to. */
export const walletShape = listedWalletShape.extend({
  tier: z.int(),
  dailyLimit: amountOut.meta({ description: 'What may be spent in a day, in Lagos' }),
  dailyLimitFrom: z.enum(['tier', 'operator']),
  spentToday: amountOut,
  liens: z.array(lienShape).meta({ description: 'Those in force' }),
});

/** A lien, lifted or in force. */
export const toLien = (lien: Awaited<ReturnType<typeof placeWalletLien>>): z.input<typeof lienShape> => ({
  id: lien.id,
  amount: toMajor(lien.amount),
  reason: lien.reason,
  createdAt: lien.createdAt.toISOString(),
  liftedAt: lien.liftedAt?.toISOString(),
});

/** A wallet in a list. */
export function toListedWallet({ view, ...listed }: OperatorWalletSummary): z.input<typeof listedWalletShape> {
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
    ...toCamelCaseBalances(wallet.amounts),
    isPrimary: listed.isPrimary,
    revokedAt: view.revokedAt?.toISOString() ?? null,
    createdAt: view.createdAt.toISOString(),
    updatedAt: wallet.updatedAt.toISOString(),
  };
}

/** A wallet with the rules it is held to, and what was spent today. */
export const toWallet = (view: OperatorWalletView): z.input<typeof walletShape> => ({
  ...toListedWallet(view),
  tier: view.tier,
  dailyLimit: toMajor(view.dailyLimit.limit),
  dailyLimitFrom: view.hasOwnLimit ? 'operator' : 'tier',
  spentToday: toMajor(view.dailyLimit.spent),
  liens: view.liens.map(toLien),
});
