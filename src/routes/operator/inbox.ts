import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import {
  amountToCredit,
  creditMessage,
  dismissMessage,
  getMessage,
  listMessages,
  retryMessage,
} from '#modules/collections';
import { momentIn } from '#wire/moment.ts';
import { pagedBy, uuidKey } from '#wire/paging.ts';
import { optional, reason, reference, text } from '#wire/text.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { listOrFile } from './list-or-file.ts';
import { approvalShape } from './shapes/approval.ts';
import { messageKind, messageShape, messageState, toMessage } from './shapes/message.ts';
import { idParams } from './shapes/params.ts';
import { optionalReasonBody, reasonBody } from './shapes/reason.ts';

export function getInboxById(app: ZodApp, deps: DepsOf<typeof getMessage>): void {
  app.get(
    '/inbox/:id',
    {
      schema: {
        operationId: 'getInboxMessage',
        summary: 'What a provider told us, and what has become of it',
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
        summary: 'Credit a wallet with a payment that came to an account number which nobody knows',
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
        summary: 'Close what a provider told us and does not agree with our books, as seen: nothing is booked',
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
        summary: 'Have what a provider told us tried again at once, where it is not in the books',
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
  reference: optional(reference).meta({ description: 'Of the transfer or the payment that it tells of' }),
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
        summary: 'What providers told us, and what has become of it, newest first',
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
