import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import {
  createSplit,
  createTerminal,
  type FoundSplit,
  findSplits,
  listTerminals,
  readTerminal,
  type Terminal,
} from '#modules/terminals';
import { momentIn, momentOut } from '#wire/moment.ts';
import { amountInQuery, amountOut, currencyCode, toMajor } from '#wire/money.ts';
import { listOf, numberKey, pagedBy } from '#wire/paging.ts';
import { personal } from '#wire/personal.ts';
import { splitBody, splitShape, toSplit } from '#wire/split.ts';
import {
  emailAddress,
  metadata,
  metadataOut,
  optional,
  optionalReason,
  reference,
  text,
  trustedName,
} from '#wire/text.ts';
import { listOrFile } from './list-or-file.ts';

/** A terminal, as the operator sees it. */
const terminalShape = z.object({
  partnerId: z.uuid(),
  serialNumber: z.string(),
  terminalId: z.string().optional(),
  merchant: z.string().optional(),
  email: personal(z.string(), 'email').optional(),
  phoneNumber: personal(z.string(), 'number').optional(),
  paytag: z.string().optional(),
  status: z.string(),
  balance: amountOut.meta({ description: 'What its payments have brought into the float, less the charges' }),
  createdAt: momentOut,
  metadata: personal(metadataOut, 'values').optional(),
});

const toTerminal = ({ id: _id, balance, createdAt, ...terminal }: Terminal): z.input<typeof terminalShape> => ({
  ...terminal,
  balance: toMajor(balance),
  createdAt: createdAt.toISOString(),
});

const splitStatus = z.enum(['Pending', 'Paid', 'Cancelled', 'Expired'] satisfies FoundSplit['status'][]);

/** A split, with the terminal that it is paid at. */
const foundSplitShape = z.object({
  reference: z.string(),
  terminal: z.string().meta({ description: 'Serial number of the terminal' }),
  partnerId: z.uuid(),
  status: splitStatus,
  currency: currencyCode,
  amount: amountOut,
  totalPaid: amountOut,
  remaining: amountOut,
  title: personal(z.string(), 'text'),
  description: personal(z.string(), 'text').optional(),
  createdAt: momentOut,
  updatedAt: momentOut,
  expiresAt: momentOut.optional(),
});

const toFoundSplit = ({ serialNumber, ...split }: FoundSplit): z.input<typeof foundSplitShape> => ({
  ...split,
  terminal: serialNumber,
  currency: 'NGN',
  amount: toMajor(split.amount),
  totalPaid: toMajor(split.totalPaid),
  remaining: toMajor(split.remaining),
  createdAt: split.createdAt.toISOString(),
  updatedAt: split.updatedAt.toISOString(),
  expiresAt: split.expiresAt?.toISOString(),
});

const list = listOrFile('splits', pagedBy('splits', numberKey), foundSplitShape);

const listQuery = list.query.extend({
  terminal: optional(text(100)).meta({ description: 'Serial number of the terminal' }),
  partnerId: optional(z.uuid()),
  reference: optional(reference),
  status: optional(splitStatus),
  amountFrom: optional(amountInQuery).meta({ description: 'The requested amount is this or more' }),
  amountTo: optional(amountInQuery).meta({ description: 'The requested amount is this or less' }),
  from: optional(momentIn).meta({ description: 'It was made then or later' }),
  to: optional(momentIn).meta({ description: 'It was made before' }),
});

export function getSplits(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof findSplits>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/splits',
    {
      schema: {
        operationId: 'listSplits',
        summary: 'Find splits by terminal, partner, reference, status, amount or time, newest first',
        querystring: listQuery,
        response: { 200: list.response, ...failuresFor('TERMINAL_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => findSplits({ ...deps, db }, { ...asked, ...page })),
        toItem: toFoundSplit,
      });
    },
  );
}

const oneShape = terminalShape.extend({
  splits: z.array(foundSplitShape).meta({ description: 'The newest first, a hundred at most' }),
});

export function getTerminalsBySerialNumber(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof readTerminal>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/terminals/:serialNumber',
    {
      schema: {
        operationId: 'getTerminal',
        summary: 'A terminal, with its newest splits',
        params: z.object({ serialNumber: text(100) }),
        response: { 200: oneShape, ...failuresFor('TERMINAL_NOT_FOUND') },
      },
    },
    async ({ actor, params: { serialNumber } }) => {
      const { splits, ...terminal } = await readLong(actor, async (db) => readTerminal({ ...deps, db }, serialNumber));
      return { ...toTerminal(terminal), splits: splits.map(toFoundSplit) };
    },
  );
}

export function postTerminalsSplits(app: ZodApp, deps: DepsOf<typeof createSplit>): void {
  app.post(
    '/terminals/:serialNumber/splits',
    {
      schema: {
        operationId: 'createSplit',
        summary: 'Ask for a payment at a terminal, to be paid in instalments',
        params: z.object({ serialNumber: text(100) }),
        body: splitBody.extend({ reason: optionalReason }),
        response: { 201: splitShape, ...failuresFor('TERMINAL_NOT_FOUND', 'REFERENCE_REUSED') },
      },
    },
    async (request, reply) => {
      const { serialNumber } = request.params;
      const actor = request.actor;
      const split = await createSplit(deps, { ...request.body, terminal: { serialNumber }, actor });
      reply.code(201);
      return toSplit(split);
    },
  );
}

const pages = pagedBy('terminals', numberKey);

export function getTerminals(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listTerminals>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/terminals',
    {
      schema: {
        operationId: 'listTerminals',
        summary: 'Terminals of all partners or one, newest first',
        querystring: pages.query.extend({ partnerId: optional(z.uuid()) }),
        response: { 200: listOf(terminalShape) },
      },
    },
    async ({ actor, query }) =>
      pages.page(await readLong(actor, async (db) => listTerminals({ ...deps, db }, query)), query, toTerminal),
  );
}

const body = z.object({
  partnerId: z.uuid(),
  serialNumber: reference,
  terminalId: optional(text(100)),
  merchant: optional(trustedName(200)),
  email: optional(emailAddress),
  phoneNumber: optional(text(40)),
  paytag: optional(text(40)),
  metadata: optional(metadata),
  reason: optionalReason,
});

const createShape = z.object({
  partnerId: z.uuid(),
  serialNumber: z.string(),
  terminalId: z.string().optional(),
  merchant: z.string().optional(),
  email: z.string().optional(),
  phoneNumber: z.string().optional(),
  paytag: z.string().optional(),
  status: z.string(),
  balance: amountOut,
  createdAt: momentOut,
  metadata: metadataOut.optional(),
});

export function postTerminals(app: ZodApp, deps: DepsOf<typeof createTerminal>): void {
  app.post(
    '/terminals',
    {
      schema: {
        operationId: 'createTerminal',
        summary: 'Give a partner a terminal',
        body,
        response: { 201: createShape, ...failuresFor('INVALID_PAYTAG', 'PARTNER_NOT_FOUND', 'TERMINAL_EXISTS') },
      },
    },
    async (request, reply) => {
      const terminal = await createTerminal(deps, request.actor, request.body);
      reply.code(201).header('cache-control', 'no-store');
      return toShape(terminal);
    },
  );
}

const toShape = ({ balance, createdAt, ...terminal }: Terminal): z.input<typeof createShape> => ({
  ...terminal,
  balance: toMajor(balance),
  createdAt: createdAt.toISOString(),
});
