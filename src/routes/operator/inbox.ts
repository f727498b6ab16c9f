import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import {
  amountToCredit,
  creditMessage,
  differences,
  dismissMessage,
  getMessage,
  listMessages,
  type MessageView,
  messageStates,
  retryMessage,
} from '#modules/collections';
import { momentIn, momentOut } from '#wire/moment.ts';
import { amountOut, toMajor } from '#wire/money.ts';
import { pagedBy, uuidKey } from '#wire/paging.ts';
import { personal } from '#wire/personal.ts';
import { optional, reason, reference, text } from '#wire/text.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { listOrFile } from './list-or-file.ts';
import { approvalShape, idParams, optionalReasonBody, reasonBody } from './shapes.ts';

const messageState = z.enum(messageStates);

const messageKind = z.enum(['TRANSFER', 'CHARGE', 'ACCOUNT', 'OTHER']);

/** A provider's message as the operator sees it. */
const messageShape = z.object({
  id: z.uuid(),
  provider: z.string(),
  origin: z.enum(['HOOK', 'COMPARISON']).meta({
    description: 'COMPARISON: the provider’s list of a day has it, and we lacked it',
  }),
  event: z
    .string()
    .optional()
    .meta({ description: 'The provider’s name of what happened', example: 'transfer.success' }),
  kind: messageKind.optional().meta({ description: 'TRANSFER: of a payout. CHARGE: money that came in' }),
  reference: z.string().optional().meta({ description: 'Of the transfer or payment that the message reports' }),
  amount: amountOut.optional().meta({ description: 'As the provider says it' }),
  currency: z.string().optional(),
  outcome: z.enum(['SUCCESSFUL', 'FAILED', 'REVERSED']).optional(),
  accountNumber: personal(z.string(), 'number').optional().meta({ description: 'The one it was paid to' }),
  senderName: personal(z.string(), 'name').optional(),
  senderBank: z.string().optional(),
  senderAccount: personal(z.string(), 'number').optional(),
  narration: personal(z.string(), 'text').optional(),
  state: messageState.meta({ description: 'DIFFERENT: it does not agree with our books, and has changed nothing' }),
  difference: z.enum(differences).optional(),
  transactionId: z.int().optional().meta({ description: 'What it was booked as' }),
  attempts: z.int(),
  nextAttemptAt: momentOut.optional(),
  lastError: z.string().optional().meta({ description: 'The error code of the last attempt' }),
  receivedAt: momentOut,
  endedAt: momentOut.optional(),
});

const toMessage = (view: MessageView): z.input<typeof messageShape> => {
  const { charge } = view;
  return {
    id: view.id,
    provider: view.provider,
    origin: view.origin,
    event: view.event ?? undefined,
    kind: view.kind ?? undefined,
    reference: view.reference ?? undefined,
    amount: view.amount === null ? undefined : toMajor(view.amount),
    currency: view.currency ?? undefined,
    outcome: view.outcome ?? undefined,
    accountNumber: charge?.accountNumber,
    senderName: charge?.sender.name,
    senderBank: charge?.sender.bank,
    senderAccount: charge?.sender.accountNumber,
    narration: charge?.narration,
    state: view.state,
    difference: view.difference ?? undefined,
    transactionId: view.transactionId ?? undefined,
    attempts: view.attempts,
    nextAttemptAt: view.dueAt?.toISOString(),
    lastError: view.lastError ?? undefined,
    receivedAt: view.receivedAt.toISOString(),
    endedAt: view.endedAt?.toISOString(),
  };
};

export function getInboxById(app: ZodApp, deps: DepsOf<typeof getMessage>): void {
  app.get(
    '/inbox/:id',
    {
      schema: {
        operationId: 'getInboxMessage',
        summary: 'A provider’s message and its outcome',
        params: idParams,
        response: { 200: messageShape, ...failuresFor('MESSAGE_NOT_FOUND') },
      },
    },
    async ({ params }) => toMessage(await getMessage(deps, params.id)),
  );
}

const creditBody = z.object({
  walletReference: text(100).meta({ description: 'Whose the money is' }),
  reason,
});

export function postInboxCredit(app: ZodApp, deps: DepsOf<typeof creditMessage> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /inbox/:id/credit',
    params: idParams,
    body: creditBody,
    waits: ({ params: { id } }) => amountToCredit(deps, id),
    repeatable: true,
    run: async ({ params: { id }, body: given, actor }) =>
      toMessage(await creditMessage(deps, { ...given, id, actor })),
  });
  app.post(
    '/inbox/:id/credit',
    {
      schema: {
        operationId: 'creditInboxMessage',
        summary: 'Credit a wallet with a payment that came to an unknown account number',
        params: idParams,
        body: creditBody,
        response: {
          200: messageShape,
          202: approvalShape,
          ...failuresFor('MESSAGE_NOT_FOUND', 'MESSAGE_BOOKED', 'WALLET_NOT_FOUND', 'REFERENCE_REUSED'),
        },
      },
    },
    handle,
  );
}

export function postInboxDismiss(app: ZodApp, deps: DepsOf<typeof dismissMessage>): void {
  app.post(
    '/inbox/:id/dismiss',
    {
      schema: {
        operationId: 'dismissInboxMessage',
        summary: 'Close a provider’s message that contradicts our books: nothing is booked',
        params: idParams,
        body: reasonBody,
        response: { 200: messageShape, ...failuresFor('MESSAGE_NOT_FOUND', 'MESSAGE_BOOKED') },
      },
    },
    async ({ params, body, actor }) => toMessage(await dismissMessage(deps, { ...body, id: params.id, actor })),
  );
}

export function postInboxRetry(app: ZodApp, deps: DepsOf<typeof retryMessage>): void {
  app.post(
    '/inbox/:id/retry',
    {
      schema: {
        operationId: 'retryInboxMessage',
        summary: 'Retry a provider’s message now, if it is not booked yet',
        params: idParams,
        body: optionalReasonBody,
        response: { 200: messageShape, ...failuresFor('MESSAGE_NOT_FOUND', 'MESSAGE_BOOKED') },
      },
    },
    async ({ params, body, actor }) => toMessage(await retryMessage(deps, { ...body, id: params.id, actor })),
  );
}

const list = listOrFile('inbox', pagedBy('inbox', uuidKey), messageShape);

const query = list.query.extend({
  provider: optional(text(50)),
  state: optional(messageState),
  kind: optional(messageKind),
  reference: optional(reference).meta({ description: 'Of the transfer or payment that the message reports' }),
  from: optional(momentIn).meta({ description: 'Received at this time or later' }),
  to: optional(momentIn).meta({ description: 'Received at this time or before' }),
});

export function getInbox(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listMessages>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/inbox',
    {
      schema: {
        operationId: 'listInbox',
        summary: 'Messages of providers and their outcomes, newest first',
        querystring: query,
        response: { 200: list.response },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => listMessages({ ...deps, db }, { ...asked, ...page })),
        toItem: toMessage,
      });
    },
  );
}
