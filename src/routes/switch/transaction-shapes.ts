import { z } from 'zod';
import { type TransactionView, transactionData, type WebhookRecord } from '#modules/tag-transactions';
import { amountOut } from '#wire/money.ts';

const moment = z.iso.datetime();

const webhookDeliveryShape = z
  .object({
    id: z.uuid(),
    transactionId: z.uuid(),
    transactionReference: z.string(),
    applicationId: z.uuid(),
    applicationName: z.string(),
    direction: z.enum(['SENDER', 'RECEIVER']).meta({ description: 'As which side the application was told' }),
    targetUrl: z.string().optional(),
    eventType: z.string().meta({ example: 'TRANSACTION_INITIATED' }),
    status: z.enum(['PENDING', 'DELIVERED', 'FAILED']),
    attempts: z.int(),
    lastError: z.string().optional(),
    lastAttemptAt: moment.optional(),
    deliveredAt: moment.optional(),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'WebhookDelivery' });

export const switchTransactionShape = z
  .object({
    id: z.uuid(),
    reference: z.string(),
    senderTag: z.string().meta({ example: 'ada' }),
    senderAppName: z.string(),
    senderAppId: z.uuid(),
    receiverTag: z.string().meta({ example: 'bola' }),
    receiverAppName: z.string(),
    receiverAppId: z.uuid(),
    amount: amountOut,
    currency: z.enum(['NGN', 'FP']),
    status: z.enum(['AWAITING_ACCEPTANCE', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED']),
    narration: z.string().optional(),
    expiresAt: moment,
    acceptedAt: moment.optional(),
    rejectedAt: moment.optional(),
    rejectionReason: z.string().optional(),
    createdAt: moment,
    updatedAt: moment,
    fee: amountOut.meta({ description: 'On top of the amount, borne by the sender' }),
    webhooks: z.array(webhookDeliveryShape).meta({ description: 'What the calling application was told of it' }),
  })
  .meta({ id: 'SwitchTransaction' });

export type SwitchTransactionOut = z.input<typeof switchTransactionShape>;

export const toSwitchTransaction = (transaction: TransactionView): SwitchTransactionOut => {
  const { status, ...data } = transactionData(transaction);
  if (status === 'DECLINED') throw new Error('a declined transaction is shown to nobody');
  return { ...data, status, webhooks: transaction.webhooks.map((record) => toWebhookDelivery(record, transaction)) };
};

const toWebhookDelivery = (
  record: WebhookRecord,
  transaction: TransactionView,
): z.input<typeof webhookDeliveryShape> => ({
  id: record.id,
  transactionId: transaction.id,
  transactionReference: transaction.reference,
  applicationId: record.applicationId,
  applicationName: record.applicationName,
  direction: record.direction,
  targetUrl: record.targetUrl ?? undefined,
  eventType: record.eventType,
  status: record.status,
  attempts: record.attempts,
  lastError: record.lastError ?? undefined,
  lastAttemptAt: record.lastAttemptAt?.toISOString(),
  deliveredAt: record.deliveredAt?.toISOString(),
  createdAt: record.createdAt.toISOString(),
  updatedAt: record.updatedAt.toISOString(),
});

/** The path of an operation on one transaction. */
export const transactionParams = z.object({ id: z.uuid() });
