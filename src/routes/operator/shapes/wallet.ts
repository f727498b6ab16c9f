import { z } from 'zod';
import type { OpenHold } from '#modules/ledger';
import type { OperatorWalletSummary, OperatorWalletView, placeWalletLien } from '#modules/wallets';
import { momentOut } from '#wire/moment.ts';
import { amountOut, currencyCode, toMajor } from '#wire/money.ts';
import { personal } from '#wire/personal.ts';
import { text } from '#wire/text.ts';
import { transactionType } from '#wire/transaction.ts';
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

/** Money of a wallet that is set aside. */
export const holdShape = z.object({
  id: z.int(),
  amount: amountOut,
  reference: z.string().meta({ description: 'Of what it is for: of a transaction, or SWT- and the id of an offer' }),
  type: transactionType
    .optional()
    .meta({ description: 'Of the transaction, where there is one before it is captured' }),
  transactionId: z.int().optional(),
  externalReference: z.string().optional(),
  createdAt: momentOut,
  expiresAt: momentOut
    .optional()
    .meta({ description: 'Released then, where nothing has become of it; absent: by a decision alone' }),
});

/** Money of a wallet that is set aside, and what for. */
export const toHold = ({ hold, transaction }: OpenHold): z.input<typeof holdShape> => ({
  id: hold.id,
  amount: toMajor(hold.amount),
  reference: transaction?.reference ?? hold.reference,
  type: transaction?.type,
  transactionId: transaction?.id,
  externalReference: transaction?.externalReference ?? undefined,
  createdAt: hold.createdAt.toISOString(),
  expiresAt: toExpiry(hold),
});

/** When a hold ends by itself; undefined of one that does not. */
export const toExpiry = ({ expiresAt }: OpenHold['hold']): string | undefined =>
  Number.isFinite(expiresAt.getTime()) ? expiresAt.toISOString() : undefined;

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
