import { z } from 'zod';
import { errorTable } from '#errors';
import { statesOf } from '#lib/state-machine.ts';
import type { FoundTransaction } from '#modules/collections';
import { type DisputeView, disputeStates } from '#modules/disputes';
import { accountKinds, namers, type OpenHold } from '#modules/ledger';
import { type Approval, approvalTransitions } from '#modules/operators';
import type { OperatorWalletSummary, OperatorWalletView, placeWalletLien } from '#modules/wallets';
import { momentIn, momentOut } from '#wire/moment.ts';
import { amountIn, amountInQuery, amountOut, currencyCode, toMajor, toMajorIfAny } from '#wire/money.ts';
import { personal } from '#wire/personal.ts';
import { optional, optionalReason, reason, reference, text, webUrl } from '#wire/text.ts';
import { toTransaction, transactionShape, transactionStatus, transactionType } from '#wire/transaction.ts';
import { camelCaseBalances, toCamelCaseBalances, walletStatus } from '#wire/wallet.ts';
import type { TransactionInFull } from './transaction-in-full.ts';

/** The path of an operation on one thing. Ids are compared as text in places, so they are written as we write them. */
export const idParams = z.object({ id: z.uuid().toLowerCase() });

/** The ID of a transaction, as a parameter. */
export const transactionId = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be the ID of a transaction')
  .transform(Number)
  .meta({ type: 'integer', minimum: 1 });

/** The body of a change that needs nothing but why it is made. */
export const reasonBody = z.object({ reason });

/** The same, where the operation needs no reason: the body may be left out. */
export const optionalReasonBody = z.object({ reason: optionalReason }).nullish();

/** Money that the operator adds to what somebody keeps with us, or takes from it. */
export const fundingBody = z.object({
  amount: amountIn,
  currency: currencyCode.default('NGN'),
  reference,
  reason: optionalReason,
});

/** What they keep with us after it. */
export const balanceShape = z.object({ currency: currencyCode, balance: amountOut });

export const approvalStatus = z.enum(statesOf(approvalTransitions));

const named = z.object({
  id: z.string().meta({ description: 'root for the holder of OPERATOR_TOKEN' }),
  name: z.string(),
});

/** A request for another operator's approval. */
export const approvalShape = z
  .object({
    id: z.uuid(),
    operation: z.string().meta({ example: 'POST /partners/:id/float' }),
    status: approvalStatus,
    amount: amountOut.optional(),
    requestedBy: named,
    createdAt: momentOut,
    expiresAt: momentOut,
    decidedBy: named.optional(),
    decidedAt: momentOut.optional(),
    reason: personal(z.string(), 'prose').optional().meta({ description: 'Why it was rejected, or failed' }),
    errorCode: z.string().optional().meta({ description: 'Of the operation, which failed' }),
    endedAt: momentOut.optional(),
  })
  .meta({ id: 'Approval' });

/** The same, with its body and its result. */
export const wholeApprovalShape = approvalShape.extend({
  request: z
    .object({ params: z.record(z.string(), z.string()), body: z.unknown() })
    .optional()
    .meta({ description: 'Shown to whose role may do the operation, until 30 days after its end' }),
  answer: z
    .unknown()
    .optional()
    .meta({ description: 'What the operation answered; shown to the requester and the approver, as long' }),
});

/** A request, without its body. */
export const toApproval = (approval: Approval): z.input<typeof approvalShape> => ({
  id: approval.id,
  operation: approval.operation,
  status: approval.status,
  amount: toMajorIfAny(approval.amount),
  requestedBy: approval.requestedBy,
  createdAt: approval.createdAt.toISOString(),
  expiresAt: approval.expiresAt.toISOString(),
  decidedBy: approval.decidedBy,
  decidedAt: approval.decidedAt?.toISOString(),
  reason: approval.reason,
  errorCode: approval.errorCode,
  endedAt: approval.endedAt?.toISOString(),
});

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

/** When a hold expires; undefined if it does not. */
const toExpiry = ({ expiresAt }: OpenHold['hold']): string | undefined =>
  Number.isFinite(expiresAt.getTime()) ? expiresAt.toISOString() : undefined;

/** A wallet with its limits and rules. */
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

export const disputeState = z.enum(disputeStates);

/** What somebody says of a dispute. */
export const saidBody = z.object({
  text: text(2000).meta({ description: 'The partner of the wallet sees it' }),
  link: optional(webUrl).meta({
    description: 'Where there is more of it',
    example: 'https://files.example/receipt-7.pdf',
  }),
});

/** A dispute as the operator sees it. */
export const disputeShape = z.object({
  id: z.uuid(),
  transactionReference: z.string(),
  transactionId: z.int(),
  type: transactionType,
  partnerId: z.uuid().meta({ description: 'Whose the wallet is that received the money' }),
  wallet: z.string().meta({ description: 'Its reference' }),
  amount: amountOut,
  currency: currencyCode,
  covered: amountOut
    .optional()
    .meta({ description: 'What of the amount is in the wallet now, while it is not decided; the rest has been spent' }),
  state: disputeState.meta({
    description:
      'EXPIRED: the partner can answer no more, and the amount is kept until it is decided. WON: the receiver keeps the money. LOST: it went back',
  }),
  reason: personal(z.string(), 'prose'),
  respondBy: momentOut,
  evidence: z.array(
    z.object({
      by: z.enum(['OPERATOR', 'PARTNER']),
      text: personal(z.string().meta({ description: 'Empty once it is forgotten, years after the decision' }), 'text'),
      link: personal(z.string(), 'text').optional(),
      at: momentOut,
    }),
  ),
  refunded: amountOut.meta({
    description:
      'What went back because it was lost: less than the amount where some of it was refunded or reversed before',
  }),
  refundReference: z.string().optional().meta({ description: 'Of what gave it back' }),
  decision: personal(z.string(), 'prose').optional().meta({ description: 'Why it was decided so' }),
  createdAt: momentOut,
  expiredAt: momentOut.optional(),
  decidedAt: momentOut.optional(),
});

export const toDispute = ({ transaction, refund, ...view }: DisputeView): z.input<typeof disputeShape> => ({
  ...view,
  transactionReference: transaction.reference,
  transactionId: transaction.id,
  type: transaction.type,
  amount: toMajor(view.amount),
  covered: view.covered === undefined ? undefined : toMajor(view.covered),
  respondBy: view.respondBy.toISOString(),
  evidence: view.evidence.map(({ by, text: said, link, createdAt }) => ({
    by,
    text: said,
    link,
    at: createdAt.toISOString(),
  })),
  refunded: toMajor(refund?.amount ?? 0n),
  refundReference: refund?.reference,
  createdAt: view.createdAt.toISOString(),
  expiredAt: view.expiredAt?.toISOString(),
  decidedAt: view.decidedAt?.toISOString(),
});

const namer = z.enum(namers);

/** A transaction as the operator finds it. */
export const foundShape = transactionShape.extend({
  Namer: namer.meta({ description: 'Who gave the reference' }),
  PartnerID: z.uuid().optional().meta({ description: 'In whose books it is' }),
});

/** A transaction that an operator has found. */
export const toFoundTransaction = (one: FoundTransaction): z.input<typeof foundShape> => ({
  ...toTransaction(one),
  Namer: one.namer,
  PartnerID: one.partnerId,
});

/** What transactions are filtered by, of a wallet too. */
export const transactionFilter = {
  type: optional(transactionType),
  status: optional(transactionStatus),
  failureReason: optional(text(100)).meta({
    description: 'The errorCode that they were declined with',
    example: 'INSUFFICIENT_FUNDS',
  }),
  currency: optional(currencyCode),
  externalReference: optional(text(255)),
  namer: optional(namer).meta({ description: 'Who gave the reference' }),
  amountFrom: optional(amountInQuery).meta({ description: 'The amount is this or more' }),
  amountTo: optional(amountInQuery).meta({ description: 'The amount is this or less' }),
  from: optional(momentIn).meta({ description: 'It was made then or later' }),
  to: optional(momentIn).meta({ description: 'It was made before' }),
};

const eventShape = z.object({
  id: z.uuid(),
  event: z.string().meta({ example: 'wallet.credited' }),
  reference: z.string(),
  ownerId: z.uuid().meta({ description: 'The partner or application that gets the event' }),
  createdAt: momentOut,
  deliveries: z.array(
    z.object({
      id: z.uuid(),
      endpointId: z.uuid(),
      status: z.enum(['PENDING', 'DELIVERED', 'FAILED']),
      attempts: z.int().meta({ description: 'How many have begun' }),
      lastError: z.string().optional(),
      lastAttemptAt: momentOut.optional(),
      deliveredAt: momentOut.optional(),
    }),
  ),
});

const entryShape = z.object({
  account: z.enum(accountKinds).meta({ description: 'What kind of account it moved' }),
  reference: z.string().meta({ description: 'Of a wallet its reference, of a float or an application whose it is' }),
  partnerId: z.uuid().optional(),
  currency: currencyCode,
  amount: amountOut.meta({ description: 'Signed: below zero it left the account' }),
  fee: amountOut.meta({ description: 'The part of it that is a charge' }),
  openingBalance: amountOut.optional(),
  closingBalance: amountOut.optional(),
  createdAt: momentOut,
});

/** A transaction with everything that belongs to it. */
export const transactionInFullShape = z.object({
  transaction: foundShape,
  refusal: z
    .object({
      code: z.string().meta({ example: 'INSUFFICIENT_FUNDS' }),
      happened: z
        .string()
        .optional()
        .meta({ example: 'There is not enough available money in the wallet or the float.' }),
      whatToDo: z.string().optional().meta({ example: 'Fund it.' }),
    })
    .optional()
    .meta({ description: 'Why it was declined' }),
  entries: z.array(entryShape).meta({ description: 'What it moved; nothing where it was declined' }),
  original: foundShape.optional().meta({ description: 'What it refunds or reverses' }),
  following: z
    .array(foundShape)
    .meta({ description: 'What refunds or reverses it, or was refused to, newest first, a hundred at most' }),
  hold: z
    .object({
      amount: amountOut,
      state: z.enum(['OPEN', 'CAPTURED', 'RELEASED', 'EXPIRED', 'REFUSED']),
      createdAt: momentOut,
      expiresAt: momentOut.optional(),
      closedAt: momentOut.optional(),
    })
    .optional(),
  payment: z
    .object({
      senderName: personal(z.string(), 'name').optional(),
      senderPaytag: z.string().optional(),
      senderType: z.string().optional(),
      terminal: z.string().optional().meta({ description: 'Serial number of the terminal' }),
      split: z.string().optional().meta({ description: 'Reference of the split of that terminal' }),
    })
    .optional()
    .meta({ description: 'What a rail reported of it' }),
  payout: z.object({ id: z.uuid(), state: z.string(), provider: z.string(), providerReference: z.string() }).optional(),
  disputes: z.array(disputeShape).meta({ description: 'Those about it, newest first' }),
  offer: z
    .object({
      id: z.uuid(),
      status: z.string(),
      reference: z.string(),
      senderAppId: z.uuid(),
      senderTag: z.string(),
      receiverAppId: z.uuid(),
      receiverTag: z.string(),
    })
    .optional()
    .meta({ description: 'The transaction between tags that it settles' }),
  events: z.array(eventShape).meta({ description: 'Its events, and their deliveries' }),
});

/** A transaction with everything that belongs to it. */
export const toTransactionInFull = (full: TransactionInFull): z.input<typeof transactionInFullShape> => ({
  transaction: toFoundTransaction(full.transaction),
  refusal: toRefusal(full.transaction),
  entries: full.entries.map(({ account: { kind, ...account }, entry }) => ({
    account: kind,
    reference: account.reference,
    partnerId: account.partnerId ?? undefined,
    currency: account.currency,
    amount: toMajor(entry.amount),
    fee: toMajor(entry.fee),
    openingBalance: toMajorIfAny(entry.opening ?? undefined),
    closingBalance: toMajorIfAny(entry.closing ?? undefined),
    createdAt: entry.createdAt.toISOString(),
  })),
  original: full.original && toFoundTransaction(full.original),
  following: full.following.map(toFoundTransaction),
  hold: full.hold && {
    amount: toMajor(full.hold.amount),
    state: full.hold.state,
    createdAt: full.hold.createdAt.toISOString(),
    expiresAt: toExpiry(full.hold),
    closedAt: full.hold.closedAt?.toISOString(),
  },
  payment: full.report && {
    senderName: full.report.sender.name,
    senderPaytag: full.report.sender.paytag,
    senderType: full.report.sender.type,
    terminal: full.report.terminal,
    split: full.report.split,
  },
  payout: full.payout && {
    id: full.payout.id,
    state: full.payout.state,
    provider: full.payout.provider,
    providerReference: full.payout.providerReference,
  },
  offer: full.offer && {
    id: full.offer.id,
    status: full.offer.status,
    reference: full.offer.reference,
    senderAppId: full.offer.senderAppId,
    senderTag: full.offer.senderTag,
    receiverAppId: full.offer.receiverAppId,
    receiverTag: full.offer.receiverTag,
  },
  disputes: full.disputes.map(toDispute),
  events: full.events.map(({ writtenAt, deliveries, ...event }) => ({
    ...event,
    createdAt: writtenAt.toISOString(),
    deliveries: deliveries.map((delivery) => ({
      ...delivery,
      lastAttemptAt: delivery.lastAttemptAt?.toISOString(),
      deliveredAt: delivery.deliveredAt?.toISOString(),
    })),
  })),
});

/** Why it was declined, in the words of the errors guide; a code that a payout's provider gave has none there. */
function toRefusal({ failureReason: code }: FoundTransaction): z.input<typeof transactionInFullShape>['refusal'] {
  if (code === undefined) return undefined;
  const meaning = code in errorTable ? errorTable[code as keyof typeof errorTable] : undefined;
  return { code, happened: meaning?.happened, whatToDo: meaning?.whatToDo };
}

/** The path of a transaction. */
export const transactionParams = z.object({ reference });
