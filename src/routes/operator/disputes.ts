import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { addEvidence, decideDispute, disputedAmount, getDispute, listDisputes, openDispute } from '#modules/disputes';
import { deadlineIn, momentIn } from '#wire/moment.ts';
import { amountIn } from '#wire/money.ts';
import { pagedBy, uuidKey } from '#wire/paging.ts';
import { optional, optionalReason, reason, reference } from '#wire/text.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { listOrFile } from './list-or-file.ts';
import { approvalShape, disputeShape, disputeState, idParams, saidBody, toDispute, transactionId } from './shapes.ts';

export function getDisputesById(app: ZodApp, deps: DepsOf<typeof getDispute>): void {
  app.get(
    '/disputes/:id',
    {
      schema: {
        operationId: 'getDispute',
        summary: 'A dispute, and what was said of it',
        params: idParams,
        response: { 200: disputeShape, ...failuresFor('DISPUTE_NOT_FOUND') },
      },
    },
    async ({ params }) => toDispute(await getDispute(deps, params)),
  );
}

const decideBody = z.object({
  outcome: z
    .enum(['WON', 'LOST'])
    .meta({ description: 'WON: the receiver keeps the money. LOST: it goes back to the payer' }),
  reason,
});

export function postDisputesDecide(app: ZodApp, deps: DepsOf<typeof decideDispute> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /disputes/:id/decide',
    params: idParams,
    body: decideBody,
    waits: ({ params }) => disputedAmount(deps, params.id),
    repeatable: true,
    run: async ({ params, body: decision, actor }) =>
      toDispute(await decideDispute(deps, { ...decision, id: params.id, actor })),
  });
  app.post(
    '/disputes/:id/decide',
    {
      schema: {
        operationId: 'decideDispute',
        summary: 'Decide a dispute: the money stays, or goes back to the payer',
        params: idParams,
        body: decideBody,
        response: {
          200: disputeShape,
          202: approvalShape,
          ...failuresFor(
            'DISPUTE_NOT_FOUND',
            'DISPUTE_STATE_CONFLICT',
            'INSUFFICIENT_FUNDS',
            'REFERENCE_REUSED',
            'WALLET_PND',
            'WALLET_BLOCKED',
            'WALLET_REVOKED',
          ),
        },
      },
    },
    handle,
  );
}

export function postDisputesEvidence(app: ZodApp, deps: DepsOf<typeof addEvidence>): void {
  app.post(
    '/disputes/:id/evidence',
    {
      schema: {
        operationId: 'addDisputeEvidence',
        summary: 'Add what is said of an open dispute',
        params: idParams,
        body: saidBody.extend({ reason: optionalReason }),
        response: { 200: disputeShape, ...failuresFor('DISPUTE_NOT_FOUND', 'DISPUTE_STATE_CONFLICT') },
      },
    },
    async ({ params, body, actor }) => toDispute(await addEvidence(deps, { ...body, id: params.id, actor })),
  );
}

const list = listOrFile('disputes', pagedBy('disputes', uuidKey), disputeShape);

const query = list.query.extend({
  partnerId: optional(z.uuid()).meta({ description: 'Whose the wallet is that received the money' }),
  transactionId: optional(transactionId).meta({
    type: 'integer',
    minimum: 1,
    description: 'About which transaction',
  }),
  state: optional(disputeState),
  dueBefore: optional(momentIn).meta({ description: 'To be answered at this time or before' }),
  from: optional(momentIn).meta({ description: 'Opened at this time or later' }),
  to: optional(momentIn).meta({ description: 'Opened at this time or before' }),
});

export function getDisputes(
  app: ZodApp,
  { readLong, keyring, securityLog }: { readLong: ReadLong; keyring: Keyring; securityLog: SecurityLog },
): void {
  app.get(
    '/disputes',
    {
      schema: {
        operationId: 'listDisputes',
        summary: 'Disputes, newest first',
        querystring: query,
        response: { 200: list.response },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) =>
          readLong(request.actor, (db) => listDisputes({ db, keyring, securityLog }, { ...asked, ...page })),
        toItem: toDispute,
      });
    },
  );
}

const createBody = z.object({
  partnerId: z.uuid().meta({ description: 'Whose the transaction is: it named it, or a wallet of its was moved' }),
  transactionReference: reference,
  amount: optional(amountIn).meta({ description: 'Without it all that is left of the transaction' }),
  reason: reason.meta({ description: 'The partner of the wallet sees it' }),
  evidence: z.array(saidBody).max(20).default([]),
  respondBy: deadlineIn.meta({ description: 'Until then the partner of the wallet can answer; a year ahead at most' }),
});

export function postDisputes(app: ZodApp, deps: DepsOf<typeof openDispute>): void {
  app.post(
    '/disputes',
    {
      schema: {
        operationId: 'openDispute',
        summary: 'Dispute a transaction: its amount is kept in the wallet that received it',
        body: createBody,
        response: {
          201: disputeShape,
          ...failuresFor(
            'TRANSACTION_NOT_FOUND',
            'TRANSACTION_NOT_DISPUTABLE',
            'REFUND_EXCEEDS',
            'DISPUTE_OPEN',
            'WALLET_REVOKED',
          ),
        },
      },
    },
    async (request, reply) => {
      const opened = await openDispute(deps, { ...request.body, actor: request.actor });
      reply.code(201);
      return toDispute(opened);
    },
  );
}
