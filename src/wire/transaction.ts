import { z } from 'zod';
import { maskNumber } from '#lib/text/output.ts';
import type { TransactionType } from '#modules/ledger';
import type { PayoutAccount } from '#modules/payouts';
import type { WalletTransaction } from '#modules/wallets';
import { deliveryProgress } from './delivery.ts';
import { eventNames } from './event-names.ts';
import { momentOut } from './moment.ts';
import { amountOut, currencyCode, toMajor, toMajorIfAny } from './money.ts';
import { personal } from './personal.ts';
import { metadataOut } from './text.ts';

export const transactionType = z.enum([
  'PARTNER_WALLET_CREDIT',
  'PARTNER_WALLET_DEBIT',
  'PARTNER_REFUND',
  'REVERSAL',
  'PARTNER_GATEWAY',
  'PARTNER_TERMINAL',
  'TRANSFER',
  'INBOUND',
  'PAYOUT',
  'PAYOUT_CORRECTION',
  'FLOAT_FUNDING',
  'FLOAT_SETTLEMENT',
  'APPLICATION_FUNDING',
  'APPLICATION_SETTLEMENT',
  'REMITTANCE',
  'ADJUSTMENT',
  'SWITCH',
] satisfies TransactionType[]);

export const transactionStatus = z.enum(['Pending', 'Successful', 'Failed', 'Reversed']);

/** Why money waits in suspense. */
export const pendingReason = z.enum([
  'WALLET_BLOCKED',
  'WALLET_PNC',
  'WALLET_REVOKED',
  'CURRENCY_MISMATCH',
  'BALANCE_EXCEEDED',
  'SPLIT_OVERPAYMENT',
  'SPLIT_NOT_PAYABLE',
]);

export const transactionShape = z
  .object({
    ID: z.int(),
    Type: transactionType,
    Amount: amountOut,
    Fee: amountOut.meta({
      description:
        'What the payer pays on top. Of a gateway or terminal payment: a part of what is taken from the recipient',
    }),
    Commission: amountOut,
    Net: amountOut.meta({ description: 'What the recipient gets: what is taken from it is Amount less Net' }),
    Currency: currencyCode,
    Status: transactionStatus,
    FailureReason: z.string().optional().meta({
      description: 'Of one that is Failed: the errorCode that it was declined with',
      example: 'INSUFFICIENT_FUNDS',
    }),
    PendingReason: pendingReason
      .optional()
      .meta({ description: 'While it is Pending: what keeps the money from where it is to go' }),
    Reference: z.string(),
    ExternalReference: z.string().optional(),
    Comment: personal(z.string(), 'text').optional(),
    Payee: z
      .object({
        BankName: z.string(),
        BankCode: z.string(),
        AccountNumber: z.string().meta({ description: 'Its last four digits', example: '******6789' }),
        AccountName: personal(z.string(), 'name'),
      })
      .optional()
      .meta({ description: 'Where it is read: the bank account that a payout went to, or came back from' }),
    OpeningBalance: amountOut.optional(),
    ClosingBalance: amountOut.optional(),
    CreatedAt: momentOut,
    CompletedAt: momentOut.optional(),
    Metadata: personal(metadataOut.clone(), 'values').optional(),
  })
  .meta({
    id: 'Transaction',
    example: {
      ID: 41,
      Type: 'PARTNER_WALLET_CREDIT',
      Amount: 1500.5,
      Fee: 0,
      Commission: 0,
      Net: 1500.5,
      Currency: 'NGN',
      Status: 'Successful',
      Reference: 'salary-7',
      Comment: 'January',
      OpeningBalance: 25_000,
      ClosingBalance: 26_500.5,
      CreatedAt: '2026-01-31T08:00:00.000Z',
      CompletedAt: '2026-01-31T08:00:00.000Z',
    },
  });

/**
 * A transaction as partners, customers and the operator see it; with the balances around it in a wallet's history.
 *
 * @param payee the bank account of a payout
 */
export const toTransaction = (
  transaction: WalletTransaction,
  payee?: PayoutAccount,
): z.input<typeof transactionShape> => ({
  ID: transaction.id,
  Type: transaction.type,
  Amount: toMajor(transaction.amount),
  Fee: toMajor(transaction.fee),
  Commission: toMajor(transaction.commission),
  Net: toMajor(transaction.net),
  Currency: transaction.currency,
  Status: transaction.status,
  FailureReason: transaction.failureReason,
  PendingReason: transaction.pendingReason,
  Reference: transaction.reference,
  ExternalReference: transaction.externalReference,
  Comment: transaction.comment,
  Payee: payee && {
    BankName: payee.bankName,
    BankCode: payee.bankCode,
    AccountNumber: maskNumber(payee.accountNumber),
    AccountName: payee.accountName,
  },
  OpeningBalance: toMajorIfAny(transaction.openingBalance),
  ClosingBalance: toMajorIfAny(transaction.closingBalance),
  CreatedAt: transaction.createdAt.toISOString(),
  CompletedAt: transaction.completedAt?.toISOString(),
  Metadata: transaction.metadata,
});

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
