import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { findTransactions, reportPayment } from '#modules/collections';
import { amountToReverse, reverseTransaction } from '#modules/treasury';
import { amountToRefund, refundForOperator } from '#modules/wallets';
import { amountIn } from '#wire/money.ts';
import { numberKey, pagedBy } from '#wire/paging.ts';
import { metadata, optional, optionalIntegerId, optionalReason, reason, reference, text } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { listOrFile } from './list-or-file.ts';
import {
  approvalShape,
  foundShape,
  toFoundTransaction,
  toTransactionInFull,
  transactionFilter,
  transactionId,
  transactionInFullShape,
  transactionParams,
} from './shapes.ts';
import { readTransaction } from './transaction-in-full.ts';

const oneQuery = z
  .object({
    partnerId: optional(z.uuid()).meta({ description: 'For whom the reference was given' }),
    applicationId: optional(z.uuid()).meta({ description: 'The same, of an application' }),
    id: optional(transactionId).meta({
      type: 'integer',
      minimum: 1,
      description: 'Where several transactions have this reference: which of them',
    }),
  })
  .refine(({ partnerId, applicationId }) => partnerId === undefined || applicationId === undefined, {
    path: ['applicationId'],
    error: 'must not come with partnerId',
  });

export function getTransactionsByReference(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof readTransaction>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/transactions/:reference',
    {
      schema: {
        operationId: 'getTransaction',
        summary: 'A transaction with its entries, related records, why it was declined, and its events',
        params: transactionParams,
        querystring: oneQuery,
        response: { 200: transactionInFullShape, ...failuresFor('TRANSACTION_NOT_FOUND') },
      },
    },
    async ({ actor, params, query: asked }) => {
      const full = await readLong(actor, (db) => readTransaction({ ...deps, db }, { ...params, ...asked }));
      return toTransactionInFull(full);
    },
  );
}

const refundBody = z.object({
  partnerId: z.uuid(),
  reference,
  amount: optional(amountIn),
  comment: optional(text(500)),
  reason,
});

const refundParams = z.object({ reference });

export function postTransactionsRefund(app: ZodApp, deps: DepsOf<typeof refundForOperator> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /transactions/:reference/refund',
    params: refundParams,
    body: refundBody,
    waits: ({ params: { reference: original }, body: refund }) =>
      refund.amount ?? amountToRefund(deps, { partnerId: refund.partnerId, original }),
    repeatable: true,
    run: async ({ params: { reference: original }, body: refund, actor }) =>
      toTransaction(await refundForOperator(deps, { ...refund, original, actor })),
  });
  app.post(
    '/transactions/:reference/refund',
    {
      schema: {
        operationId: 'refundTransaction',
        summary: 'Give back a transaction that a partner knows by this reference: what is left of it, or an amount',
        params: refundParams,
        body: refundBody,
        response: {
          200: transactionShape,
          202: approvalShape,
          ...failuresFor(
            'TRANSACTION_NOT_FOUND',
            'REFERENCE_REUSED',
            'WALLET_REVOKED',
            'BALANCE_EXCEEDED',
            'INSUFFICIENT_FUNDS',
            'REFUND_EXCEEDS',
            'TRANSACTION_NOT_REFUNDABLE',
            'WALLET_BLOCKED',
            'WALLET_PND',
          ),
        },
      },
    },
    handle,
  );
}

const reverseBody = z.object({
  partnerId: optional(z.uuid()).meta({
    description: 'Whose transaction it is; needed where a partner gave its reference',
  }),
  applicationId: optional(z.uuid()).meta({ description: 'The same, of an application' }),
  id: optionalIntegerId.meta({ description: 'Where several transactions have this reference: which of them' }),
  reference,
  comment: optional(text(500)),
  reason,
});

const reverseParams = z.object({ reference });

export function postTransactionsReverse(app: ZodApp, deps: DepsOf<typeof reverseTransaction> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /transactions/:reference/reverse',
    params: reverseParams,
    body: reverseBody,
    waits: ({ params: { reference: named }, body: { partnerId, applicationId, id, reference: reversal } }) =>
      amountToReverse(deps, { original: { reference: named, partnerId, applicationId, id }, reference: reversal }),
    repeatable: true,
    run: async ({ params: { reference: named }, body: { partnerId, applicationId, id, ...rest }, actor }) => {
      const original = { reference: named, partnerId, applicationId, id };
      return toTransaction(await reverseTransaction(deps, { ...rest, original, actor }));
    },
  });
  app.post(
    '/transactions/:reference/reverse',
    {
      schema: {
        operationId: 'reverseTransaction',
        summary: 'Undo a transaction of any kind, whole and once, with its charges',
        params: reverseParams,
        body: reverseBody,
        response: {
          200: transactionShape,
          202: approvalShape,
          ...failuresFor(
            'TRANSACTION_NOT_FOUND',
            'REFERENCE_REUSED',
            'BALANCE_EXCEEDED',
            'INSUFFICIENT_FUNDS',
            'TRANSACTION_NOT_REVERSIBLE',
            'WALLET_BLOCKED',
            'WALLET_PNC',
            'WALLET_PND',
          ),
        },
      },
    },
    handle,
  );
}

const list = listOrFile('transactions', pagedBy('transactions', numberKey), foundShape);

const listQuery = list.query
  .extend({
    reference: optional(reference).meta({
      description:
        'The reference that the caller gave, or one of ours (TRF-, INB-, SWT-); with partnerId or applicationId, one of theirs',
    }),
    partnerId: optional(z.uuid()),
    applicationId: optional(z.uuid()),
    wallet: optional(text(100)).meta({
      description:
        'Reference of a wallet: its transactions; with status Failed the declined ones to or from it, with Pending the pending ones',
    }),
    ...transactionFilter,
  })
  .refine(({ partnerId, applicationId }) => partnerId === undefined || applicationId === undefined, {
    path: ['applicationId'],
    error: 'must not come with partnerId',
  });

export function getTransactions(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/transactions',
    {
      schema: {
        operationId: 'findTransactions',
        summary: 'What was moved, or declined, newest first; or what has a reference',
        querystring: listQuery,
        response: { 200: list.response, ...failuresFor() },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => findTransactions(db, { ...asked, ...page })),
        toItem: toFoundTransaction,
      });
    },
  );
}

const sender = z.object({ name: text(200), paytag: optional(text(40)), type: optional(text(40)) });

const report = z.object({
  amount: amountIn,
  reference,
  sender,
  comment: optional(text(500)),
  metadata: optional(metadata),
  reason: optionalReason,
});

const createBody = z.discriminatedUnion(
  'type',
  [
    report.extend({
      type: z.literal('PARTNER_GATEWAY'),
      partnerId: z.uuid(),
      walletReference: optional(text(100)),
    }),
    report.extend({
      type: z.literal('PARTNER_TERMINAL'),
      terminal: text(100),
      split: optional(text(100)),
      // A card may not say whose it is.
      sender: sender.partial().default({}),
    }),
    report.extend({ type: z.literal('INBOUND'), nuban: text(10).regex(/^\d{10}$/, 'must be 10 digits') }),
  ],
  { error: 'must be PARTNER_GATEWAY, PARTNER_TERMINAL or INBOUND' },
);

const createParams = z.unknown(); // none

export function postTransactions(app: ZodApp, deps: DepsOf<typeof reportPayment> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /transactions',
    params: createParams,
    body: createBody,
    waits: ({ body: reported }) => reported.amount,
    repeatable: true,
    run: async ({ body: reported, actor }) => toTransaction(await reportPayment(deps, { ...reported, actor })),
  });
  app.post(
    '/transactions',
    {
      schema: {
        operationId: 'reportPayment',
        summary: 'Report a payment as the rails did: at a gateway, at a terminal, or to an account number',
        body: createBody,
        response: {
          200: transactionShape,
          202: approvalShape,
          ...failuresFor(
            'PARTNER_NOT_FOUND',
            'SPLIT_NOT_FOUND',
            'TERMINAL_NOT_FOUND',
            'WALLET_NOT_FOUND',
            'REFERENCE_REUSED',
          ),
        },
      },
    },
    handle,
  );
}
