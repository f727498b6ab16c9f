import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import {
  amountInSuspense,
  listRemittances,
  listSuspense,
  type Remitted,
  remit,
  remittable,
  resolveSuspense,
  type Waiting,
} from '#modules/treasury';
import { momentIn, momentOut } from '#wire/moment.ts';
import { amountIn, amountInQuery, amountOut, currencyCode, toMajor } from '#wire/money.ts';
import { numberKey, pagedBy } from '#wire/paging.ts';
import { personal } from '#wire/personal.ts';
import { optional, reason, reference, text } from '#wire/text.ts';
import { pendingReason, toTransaction, transactionShape, transactionType } from '#wire/transaction.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { listOrFile } from './list-or-file.ts';
import { approvalShape } from './shapes.ts';

/** Money that waits in suspense. */
const waitingShape = z.object({
  id: z.int().meta({ description: 'The transaction’s' }),
  type: z.string().meta({ example: 'INBOUND' }),
  reference: z.string(),
  externalReference: z.string().optional(),
  partnerId: z.uuid().optional(),
  amount: amountOut.meta({ description: 'The amount in suspense: what was paid, less the charges' }),
  currency: currencyCode,
  reason: pendingReason,
  since: momentOut,
  walletReference: z.string().optional().meta({ description: 'The wallet that it is meant for; absent: a float' }),
  sender: z
    .object({
      name: personal(z.string(), 'name').optional(),
      paytag: z.string().optional(),
      type: z.string().optional(),
    })
    .optional(),
  terminal: z.string().optional(),
  split: z.string().optional(),
  comment: personal(z.string(), 'text').optional(),
});

/** Money that waits, with what was reported of it. */
const toWaiting = ({ destination, report, amount, since, ...waiting }: Waiting): z.input<typeof waitingShape> => ({
  ...waiting,
  amount: toMajor(amount),
  since: since.toISOString(),
  walletReference: destination.kind === 'WALLET' ? destination.reference : undefined,
  sender: report?.sender,
  terminal: report?.terminal,
  split: report?.split,
});

const item = z.object({
  account: z.enum(remittable),
  amount: amountOut,
  currency: currencyCode,
  reference: z.string(),
  reason: personal(z.string(), 'prose').optional(),
  createdAt: momentOut,
});

const remittancesList = listOrFile('remittances', pagedBy('remittances', numberKey), item);

const remittancesQuery = remittancesList.query.extend({
  currency: optional(currencyCode),
  from: optional(momentIn).meta({ description: 'It was made then or later' }),
  to: optional(momentIn).meta({ description: 'It was made before' }),
});

export function getRemittances(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/remittances',
    {
      schema: {
        operationId: 'listRemittances',
        summary: 'What was settled of our own accounts with the bank, newest first',
        querystring: remittancesQuery,
        response: { 200: remittancesList.response },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return remittancesList.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => listRemittances(db, { ...asked, ...page })),
        toItem,
      });
    },
  );
}

const toItem = (one: Remitted): z.input<typeof item> => ({
  ...one,
  amount: toMajor(one.amount),
  createdAt: one.createdAt.toISOString(),
});

const account = z.enum(remittable).meta({
  description:
    'FEE, COMMISSION, STAMP_DUTY: what our bank has paid out; CLEARING_PAYOUT: what it has paid to the provider of payouts. Any other rail’s clearing: what it has paid to our bank',
});

const createBody = z.object({ account, amount: amountIn, currency: currencyCode.default('NGN'), reference, reason });

const remittanceShape = z.object({ account, amount: amountOut, currency: currencyCode, reference: z.string() });

const createParams = z.unknown();

// none

export function postRemittances(app: ZodApp, deps: DepsOf<typeof remit> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /remittances',
    params: createParams,
    body: createBody,
    waits: ({ body: remittance }) => remittance.amount,
    repeatable: true,
    run: async ({ body: { reason: why, ...remittance }, actor }) => {
      await remit(deps, { ...remittance, reason: why, actor });
      return { ...remittance, amount: toMajor(remittance.amount) };
    },
  });
  app.post(
    '/remittances',
    {
      schema: {
        operationId: 'createRemittance',
        summary:
          'Settle one of our own accounts with the bank: what was paid out of fees, commission or duty, or what a rail paid in',
        body: createBody,
        response: {
          200: remittanceShape,
          202: approvalShape,
          ...failuresFor('REFERENCE_REUSED', 'BALANCE_EXCEEDED', 'INSUFFICIENT_FUNDS'),
        },
      },
    },
    handle,
  );
}

const id = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be the id of a transaction')
  .transform(Number);

const resolveBody = z.discriminatedUnion(
  'to',
  [
    z.object({
      to: z.literal('wallet'),
      walletReference: text(100).meta({ description: 'A wallet of the same partner' }),
      reason,
    }),
    z.object({ to: z.literal('float'), reason }),
    z.object({ to: z.literal('return'), reference, reason }),
  ],
  { error: 'must be wallet, float or return' },
);

const resolveParams = z.object({ id });

export function postSuspenseResolve(app: ZodApp, deps: DepsOf<typeof resolveSuspense> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /suspense/:id/resolve',
    params: resolveParams,
    body: resolveBody,
    waits: ({ params: { id: waiting } }) => amountInSuspense(deps, waiting),
    repeatable: true,
    run: async ({ params: { id: waiting }, body: resolution, actor }) =>
      toTransaction(await resolveSuspense(deps, { ...resolution, id: waiting, actor })),
  });
  app.post(
    '/suspense/:id/resolve',
    {
      schema: {
        operationId: 'resolveSuspense',
        summary: 'Credit money in suspense to a wallet or the float of its partner, or return it',
        params: resolveParams,
        body: resolveBody,
        response: {
          200: transactionShape,
          202: approvalShape,
          ...failuresFor(
            'PARTNER_NOT_FOUND',
            'TRANSACTION_NOT_FOUND',
            'WALLET_NOT_FOUND',
            'TRANSACTION_NOT_PENDING',
            'WALLET_REVOKED',
            'BALANCE_EXCEEDED',
            'CURRENCY_MISMATCH',
            'WALLET_BLOCKED',
            'WALLET_PNC',
          ),
        },
      },
    },
    handle,
  );
}

const listList = listOrFile('suspense', pagedBy('suspense', numberKey), waitingShape);

const listQuery = listList.query.extend({
  partnerId: optional(z.uuid()),
  reason: optional(pendingReason),
  type: optional(transactionType),
  currency: optional(currencyCode),
  amountFrom: optional(amountInQuery).meta({ description: 'The amount in suspense is this or more' }),
  amountTo: optional(amountInQuery).meta({ description: 'The amount in suspense is this or less' }),
  from: optional(momentIn).meta({ description: 'Since then or later' }),
  to: optional(momentIn).meta({ description: 'Since before' }),
});

export function getSuspense(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listSuspense>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/suspense',
    {
      schema: {
        operationId: 'listSuspense',
        summary: 'Money that waits because it cannot be credited, the oldest first',
        querystring: listQuery,
        response: { 200: listList.response },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return listList.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => listSuspense({ ...deps, db }, { ...asked, ...page })),
        toItem: toWaiting,
      });
    },
  );
}
