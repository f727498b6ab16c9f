import { z } from 'zod';
import { deliveryProgress } from './delivery.ts';
import { eventNames } from './event-names.ts';
import { momentOut } from './moment.ts';
import { amountOut, currencyCode } from './money.ts';

/** A transaction between two tags, in answers and in events alike. */
export const switchTransaction = z.object({
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
});

export const webhookDeliveryShape = z
  .object({
    id: z.uuid(),
    transactionId: z.uuid(),
    transactionReference: z.string(),
    applicationId: z.uuid(),
    applicationName: z.string(),
    direction: z.enum(['SENDER', 'RECEIVER']).meta({ description: 'As which side the application was notified' }),
    targetUrl: z.string().optional(),
    eventType: z
      .string()
      .meta({ enum: eventNames.filter((name) => name.startsWith('TRANSACTION_')), example: 'TRANSACTION_INITIATED' }),
    ...deliveryProgress,
  })
  .meta({ id: 'WebhookDelivery' });
