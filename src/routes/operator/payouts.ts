import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import {
  correctionAccounts,
  correctPayout,
  getPayout,
  listPayouts,
  markPayout,
  type PayoutView,
  payoutStates,
  verifyPayout,
} from '#modules/payouts';
import { momentIn, momentOut } from '#wire/moment.ts';
import { amountOut, toMajor } from '#wire/money.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { personal } from '#wire/personal.ts';
import { optional, reason, reference } from '#wire/text.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape, idParams, optionalReasonBody } from './shapes.ts';

const payoutState = z.enum(payoutStates);

/** A payout as the operator sees it. */
const payoutShape = z.object({
  id: z.uuid(),
  reference: z.string().meta({ description: 'The transaction’s' }),
  externalReference: z.string().optional(),
  partnerId: z.uuid(),
  wallet: z.string().meta({ description: 'Reference of the wallet that pays' }),
  amount: amountOut,
  charges: amountOut.meta({ description: 'Fee and stamp duty, which the wallet pays on top' }),
  state: payoutState.meta({
    description: 'UNKNOWN: the provider may have paid, and is asked what became of it, never to pay again',
  }),
  accountNumber: personal(z.string(), 'number')
    .optional()
    .meta({ description: 'Left out, as is its name, where what is stored is not what was ordered' }),
  bankCode: z.string(),
  bankName: z.string(),
  accountName: personal(z.string(), 'name').optional(),
  provider: z.string(),
  providerReference: z.string().meta({ description: 'Ours at the provider' }),
  providerId: z.string().optional(),
  attempts: z.int().meta({ description: 'How often the provider was asked since its state changed' }),
  nextAskAt: momentOut.optional(),
  failureReason: z.string().optional(),
  failureDetail: z.string().optional().meta({ description: 'In the provider’s words' }),
  contradiction: z
    .enum(['NOT_FOUND', 'SUCCESSFUL', 'FAILED', 'REVERSED'])
    .optional()
    .meta({ description: 'The provider’s later answer, which contradicts an earlier one' }),
  correctionId: z.int().optional().meta({
    description: 'Of one that has failed and was paid all the same: the transaction that took its money after all',
  }),
  createdAt: momentOut,
  sentAt: momentOut.optional(),
  endedAt: momentOut.optional(),
  reversedAt: momentOut.optional(),
});

const toPayout = ({ dueAt, ...payout }: PayoutView): z.input<typeof payoutShape> => ({
  ...payout,
  amount: toMajor(payout.amount),
  charges: toMajor(payout.charges),
  nextAskAt: dueAt?.toISOString(),
  createdAt: payout.createdAt.toISOString(),
  sentAt: payout.sentAt?.toISOString(),
  endedAt: payout.endedAt?.toISOString(),
  reversedAt: payout.reversedAt?.toISOString(),
});

export function getPayoutsById(app: ZodApp, deps: DepsOf<typeof getPayout>): void {
  app.get(
    '/payouts/:id',
    {
      schema: {
        operationId: 'getPayout',
        summary: 'A payout, and what its provider said of it',
        params: idParams,
        response: { 200: payoutShape, ...failuresFor('PAYOUT_NOT_FOUND') },
      },
    },
    async ({ params }) => toPayout(await getPayout(deps, params.id)),
  );
}

const correctBody = z.object({
  account: z.enum(correctionAccounts).meta({
    description:
      'Who pays: the WALLET that got its money back, or, where it cannot, our account of what is not explained',
  }),
  reason,
});

export function postPayoutsCorrect(app: ZodApp, deps: DepsOf<typeof correctPayout> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /payouts/:id/correct',
    params: idParams,
    body: correctBody,
    waits: 'always',
    repeatable: true,
    run: async ({ params, body: asked, actor }) =>
      toPayout(await correctPayout(deps, { ...asked, id: params.id, actor })),
  });
  app.post(
    '/payouts/:id/correct',
    {
      schema: {
        operationId: 'correctPayout',
        summary: 'Book that a payout which has failed here was paid all the same; another operator must agree',
        params: idParams,
        body: correctBody,
        response: {
          200: payoutShape,
          202: approvalShape,
          ...failuresFor('PAYOUT_NOT_FOUND', 'PAYOUT_STATE_CONFLICT', 'REFERENCE_REUSED'),
        },
      },
    },
    async (request, reply) => {
      await getPayout(deps, request.params.id); // an unknown payout is refused before an approval is requested
      return handle(request, reply);
    },
  );
}

const markBody = z.object({ outcome: z.enum(['SUCCESSFUL', 'FAILED']), reason });

export function postPayoutsMark(app: ZodApp, deps: DepsOf<typeof markPayout> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /payouts/:id/mark',
    params: idParams,
    body: markBody,
    waits: 'always',
    repeatable: true,
    run: async ({ params, body: asked, actor }) => toPayout(await markPayout(deps, { ...asked, id: params.id, actor })),
  });
  app.post(
    '/payouts/:id/mark',
    {
      schema: {
        operationId: 'markPayout',
        summary: 'Say what has become of a payout of unknown end; another operator must agree',
        params: idParams,
        body: markBody,
        response: { 200: payoutShape, 202: approvalShape, ...failuresFor('PAYOUT_NOT_FOUND', 'PAYOUT_STATE_CONFLICT') },
      },
    },
    async (request, reply) => {
      await getPayout(deps, request.params.id); // an unknown payout is refused before an approval is requested
      return handle(request, reply);
    },
  );
}

export function postPayoutsVerify(app: ZodApp, deps: DepsOf<typeof verifyPayout>): void {
  app.post(
    '/payouts/:id/verify',
    {
      schema: {
        operationId: 'verifyPayout',
        summary: 'Ask the provider now what has become of a payout, and book it',
        params: idParams,
        body: optionalReasonBody,
        response: {
          200: payoutShape,
          ...failuresFor('PAYOUT_NOT_FOUND', 'PAYOUT_STATE_CONFLICT', 'PROVIDER_NOT_CONFIGURED'),
        },
      },
    },
    async ({ params, body, actor }) => toPayout(await verifyPayout(deps, { ...body, id: params.id, actor })),
  );
}

const pages = pagedBy('payouts', uuidKey);

const query = pages.query.extend({
  partnerId: optional(z.uuid()),
  wallet: optional(reference).meta({ description: 'Reference of the wallet that pays' }),
  state: optional(payoutState),
  contradicted: optional(z.enum(['true'])).meta({
    description: 'Only those whose provider contradicted an earlier answer',
  }),
  from: optional(momentIn).meta({ description: 'Ordered at this time or later' }),
  to: optional(momentIn).meta({ description: 'Ordered at this time or before' }),
});

export function getPayouts(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listPayouts>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/payouts',
    {
      schema: {
        operationId: 'listPayouts',
        summary: 'Payouts to bank accounts, newest first',
        querystring: query,
        response: { 200: listOf(payoutShape) },
      },
    },
    async ({ actor, query: asked }) => {
      const filter = { ...asked, contradicted: asked.contradicted === 'true' };
      return pages.page(await readLong(actor, async (db) => listPayouts({ ...deps, db }, filter)), asked, toPayout);
    },
  );
}
