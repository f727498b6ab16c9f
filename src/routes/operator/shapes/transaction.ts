import { z } from 'zod';
import { errorTable } from '#errors';
import type { FoundTransaction } from '#modules/collections';
import { accountKinds, namers } from '#modules/ledger';
import { momentIn, momentOut } from '#wire/moment.ts';
import { amountInQuery, amountOut, currencyCode, toMajor, toMajorIfAny } from '#wire/money.ts';
import { personal } from '#wire/personal.ts';
import { optional, reference, text } from '#wire/text.ts';
import { toTransaction, transactionShape, transactionStatus, transactionType } from '#wire/transaction.ts';
import type { TransactionInFull } from '../enquiries/read-transaction.ts';
import { disputeShape, toDispute } from './dispute.ts';
import { toExpiry } from './wallet.ts';

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
  ownerId: z.uuid().meta({ description: 'The partner or application that is told' }),
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
  events: z.array(eventShape).meta({ description: 'Who was told of it, and how that went' }),
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
