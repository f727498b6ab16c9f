import { z } from 'zod';
import { type TransactionView, tagTransactionData, type WebhookRecord } from '#modules/tag-transactions';
import { deliveryProgress, toDeliveryProgress } from '#wire/delivery.ts';
import { momentOut } from '#wire/moment.ts';
import { amountOut, currencyCode } from '#wire/money.ts';

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
    ...deliveryProgress,
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
    currency: currencyCode,
    status: z.enum(['AWAITING_ACCEPTANCE', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED']),
    narration: z.string().optional(),
    expiresAt: momentOut,
    acceptedAt: momentOut.optional(),
    rejectedAt: momentOut.optional(),
    rejectionReason: z.string().optional(),
    createdAt: momentOut,
    updatedAt: momentOut,
    fee: amountOut.meta({ description: 'On top of the amount, borne by the sender' }),
    webhooks: z.array(webhookDeliveryShape).meta({ description: 'What the calling application was told of it' }),
  })
  .meta({ id: 'SwitchTransaction' });

export type SwitchTransactionOut = z.input<typeof switchTransactionShape>;

export const toSwitchTransaction = (transaction: TransactionView): SwitchTransactionOut => {
  const { status, ...data } = tagTransactionData(transaction);
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
  ...toDeliveryProgress(record),
});

/** The path of an operation on one transaction. */
export const transactionParams = z.object({ id: z.uuid() });
