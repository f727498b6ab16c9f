import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { correctionAccounts, correctPayout, getPayout, listPayouts, markPayout, verifyPayout } from '#modules/payouts';
import { momentIn } from '#wire/moment.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional, reason, reference } from '#wire/text.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';
import { idParams } from './shapes/params.ts';
import { payoutShape, payoutState, toPayout } from './shapes/payout.ts';
import { optionalReasonBody } from './shapes/reason.ts';

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
      await getPayout(deps, request.params.id); // which nobody need approve to be told of
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
      await getPayout(deps, request.params.id); // which nobody need approve to be told of
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
    description: 'Only those of which the provider said what cannot be true beside what it said before',
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
