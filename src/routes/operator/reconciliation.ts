import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { verbatim } from '#lib/text/input.ts';
import {
  DAY_MAX,
  DAY_MIN,
  type FileKind,
  fileFormats,
  getImport,
  type ImportView,
  type ItemView,
  importFile,
  isDateFormat,
  itemStatuses,
  listImports,
  listItems,
  otherCharsets,
  postable,
  proofs,
  rails,
  resolveItem,
  textOf,
} from '#modules/reconciliation';
import { momentOut } from '#wire/moment.ts';
import { limitIn, toMajor, toMajorIfAny } from '#wire/money.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { personal } from '#wire/personal.ts';
import { optional, optionalReason, reason, shownName, text } from '#wire/text.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { listOrFile } from './list-or-file.ts';
import { approvalShape, idParams } from './shapes.ts';

const rail = z.enum(rails).meta({ description: 'The clearing account: BANK is that of our own bank' });

const format = z.enum(fileFormats);

const itemStatus = z.enum(itemStatuses);

const day = z.iso.date().meta({ example: '2026-11-20' });

const signed = z.number().meta({ description: 'Naira; what left is below zero', example: -1500.5 });

/** A day in a request. */
const dayIn = z.iso
  .date('must be a day, as 2026-11-20')
  .refine((given) => given >= DAY_MIN && given <= DAY_MAX, { error: `must be from ${DAY_MIN} to ${DAY_MAX}` })
  .meta({ example: '2026-11-20' });

/** A file that was imported. */
const importShape = z.object({
  id: z.uuid(),
  rail,
  format,
  account: z.string().optional().meta({ description: 'The bank’s number of the account, as the file says it' }),
  from: day,
  to: day,
  opening: signed.optional(),
  credits: signed,
  debits: signed,
  closing: signed.optional(),
  lines: z.int(),
  provedBy: z.array(z.enum(proofs)).meta({ description: 'What proves that the lines are all there, and right' }),
  toleranceDays: z.int(),
  importedBy: z.string(),
  createdAt: momentOut,
});

const difference = z.enum([
  ...itemStatuses.filter((status) => status !== 'MATCHED' && status !== 'REPEATED'),
  'OTHER_DAYS',
  'NOT_COMPARED',
]);

/** The same, with how it compares with our books. */
const comparedImportShape = importShape.extend({
  summary: z.object({
    bank: signed.meta({ description: 'What the lines come to that no earlier file has' }),
    ours: signed.meta({ description: 'What our postings of those days come to' }),
    difference: signed,
    differences: z
      .array(z.object({ of: difference, count: z.int(), amount: signed }))
      .meta({ description: 'What the difference is made of: to the kobo' }),
    matched: z.int(),
    repeated: z.int().meta({ description: 'Lines that stood in an earlier file' }),
    ties: z.boolean().meta({
      description: 'The lines are proved, and the differences come to the difference',
    }),
  }),
});

type Plain = Omit<ImportView, 'summary'>;

const toImport = (given: Plain): z.input<typeof importShape> => ({
  id: given.id,
  rail: given.rail,
  format: given.format,
  account: given.account ?? undefined,
  from: given.fromDay,
  to: given.toDay,
  opening: toMajorIfAny(given.opening ?? undefined),
  credits: toMajor(given.credits),
  debits: toMajor(given.debits),
  closing: toMajorIfAny(given.closing ?? undefined),
  lines: given.lines,
  provedBy: given.provedBy,
  toleranceDays: given.toleranceDays,
  importedBy: given.importedBy,
  createdAt: given.createdAt.toISOString(),
});

const toComparedImport = (given: ImportView): z.input<typeof comparedImportShape> => ({
  ...toImport(given),
  summary: {
    ...given.summary,
    bank: toMajor(given.summary.bank),
    ours: toMajor(given.summary.ours),
    difference: toMajor(given.summary.difference),
    differences: given.summary.differences.map(({ amount, ...one }) => ({ ...one, amount: toMajor(amount) })),
  },
});

/** A line of a bank, a posting of ours, or both. */
const itemShape = z.object({
  id: z.uuid(),
  rail,
  status: itemStatus,
  importId: z.uuid().meta({ description: 'The file of the line; of a posting alone, that which lacks it' }),
  line: z.int().optional().meta({ description: 'Where it stands in the file' }),
  bankDay: day.optional(),
  bankAmount: signed.optional(),
  bankBalance: signed.optional().meta({ description: 'What was on the account after the line' }),
  statement: z.string().optional().meta({ description: 'The bank’s number of the statement that it stands in' }),
  reference: personal(z.string(), 'text').optional(),
  bankReference: personal(z.string(), 'text').optional(),
  narration: personal(z.string(), 'text').optional(),
  transactionId: z.int().optional().meta({ description: 'Our posting' }),
  ourReference: z.string().optional(),
  ourDay: day.optional(),
  ourAmount: signed.optional(),
  difference: signed.meta({ description: 'What the bank says less what we say and have posted since' }),
  adjustmentId: z.int().optional().meta({ description: 'The posting of the difference' }),
  action: z.string().optional(),
  reason: personal(z.string(), 'prose').optional(),
  resolvedBy: z.string().optional(),
  resolvedAt: momentOut.optional(),
  createdAt: momentOut,
  updatedAt: momentOut,
});

function toItem(given: ItemView): z.input<typeof itemShape> {
  const { bankAmount, ourAmount } = given;
  const isClosed = given.status === 'RESOLVED' || given.status === 'REPEATED';
  return {
    id: given.id,
    rail: given.rail,
    status: given.status,
    importId: given.importId,
    line: given.line ?? undefined,
    bankDay: given.bankDay ?? undefined,
    bankAmount: toMajorIfAny(bankAmount ?? undefined),
    bankBalance: toMajorIfAny(given.bankBalance ?? undefined),
    statement: given.statement ?? undefined,
    reference: given.reference || undefined,
    bankReference: given.bankReference || undefined,
    narration: given.narration || undefined,
    transactionId: given.transactionId ?? undefined,
    ourReference: given.ourReference,
    ourDay: given.ourDay ?? undefined,
    ourAmount: toMajorIfAny(ourAmount ?? undefined),
    difference: isClosed ? 0 : toMajor((bankAmount ?? 0n) - (ourAmount ?? 0n)),
    adjustmentId: given.adjustmentId ?? undefined,
    action: given.action ?? undefined,
    reason: given.reason ?? undefined,
    resolvedBy: given.resolvedBy ?? undefined,
    resolvedAt: given.resolvedAt?.toISOString(),
    createdAt: given.createdAt.toISOString(),
    updatedAt: given.updatedAt.toISOString(),
  };
}

/** 8 MiB of a file in base64, and what stands around it. */
const BODY_MAX = 12 * 1024 * 1024;

const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}$/;

const TOLERANCE_MAX = 10;

/** More lines are two files. */
const LINES_MAX = 50_000;

const SKIPPED_MAX = 1_000;

const CONTENT = 'Date,Amount,Reference\n20/11/2026,1500.00,NIP-1\n';

const column = text(100).meta({ description: 'Its name in the header; without a header its number, from 1' });

const mapping = z
  .object({
    date: column,
    dateFormat: text(20)
      .refine(isDateFormat, { error: 'must name year, month and day, as DD/MM/YYYY' })
      .meta({ description: 'YYYY, YY, MM, M, MMM, DD and D, and what stands between them', example: 'DD/MM/YYYY' }),
    amount: optional(column),
    debit: optional(column),
    credit: optional(column),
    sign: z
      .enum(['CREDIT_POSITIVE', 'DEBIT_POSITIVE'])
      .default('CREDIT_POSITIVE')
      .meta({ description: 'What an amount without a sign is, where there is one column for both' }),
    reference: optional(column).meta({ example: 'Reference' }),
    narration: optional(column).meta({ example: 'Narration' }),
    balance: optional(column).meta({
      description: 'What was on the account after the line, where it is said: each must tie',
    }),
    delimiter: z.enum([',', ';', '|', 'TAB']).default(','),
    decimalMark: z.enum(['.', ',']).default('.'),
    skipLines: z.int().min(0).max(SKIPPED_MAX).default(0).meta({ description: 'Lines before the header' }),
    hasHeader: z.boolean().default(true),
  })
  .refine(({ amount, debit, credit }) => (amount === undefined) !== (debit === undefined && credit === undefined), {
    path: ['amount'],
    error: 'name either the column amount, or debit and credit',
  });

/** What an operator has seen at the bank of the lines of a file. */
const confirmed = z.object({
  count: z.int().min(1).max(LINES_MAX),
  credits: limitIn.meta({ description: 'Naira that came in' }),
  debits: limitIn.meta({ description: 'Naira that left, without a sign' }),
});

/** A bank's file, and what it is to be compared with. */
export const fileBody = z
  .object({
    rail,
    format,
    content: verbatim(z.string())
      .refine((given) => given.trim() !== '', { error: 'must not be empty' })
      .meta({ description: 'The file', example: CONTENT }),
    encoding: z.enum(['text', 'base64']).default('text').meta({
      description: 'base64: the bytes of the file; UTF-8, or UTF-16 with its mark, unless a charset is named',
    }),
    charset: optional(z.enum(otherCharsets)),
    mapping: optional(mapping).meta({ description: 'Of a CSV: where it says what' }),
    toleranceDays: z
      .int()
      .min(0)
      .max(TOLERANCE_MAX)
      .default(1)
      .meta({ description: 'Banking days that a line and a posting may lie apart' }),
    from: optional(dayIn).meta({ description: 'The first day of the file, where its first line is later' }),
    to: optional(dayIn).meta({ description: 'The last day of the file, where its last line is earlier' }),
    confirm: optional(confirmed).meta({
      description: 'Of a file that nothing proves: how many lines the bank says there are, and what they come to',
    }),
    reason: optionalReason,
  })
  .refine(({ content, encoding }) => encoding === 'text' || BASE64.test(content.trimEnd()), {
    path: ['content'],
    error: 'must be base64',
  })
  .refine((body) => body.format !== 'CSV' || body.mapping !== undefined, {
    path: ['mapping'],
    error: 'must say where a CSV says what',
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['from'],
    error: 'must not be later than to',
  })
  .meta({
    example: {
      rail: 'INBOUND',
      format: 'CSV',
      content: CONTENT,
      mapping: { date: 'Date', dateFormat: 'DD/MM/YYYY', amount: 'Amount', reference: 'Reference' },
      confirm: { count: 1, credits: 1500, debits: 0 },
    },
  });

/** How a file is to be read. */
function kindOf({ format: given, mapping: described }: z.output<typeof fileBody>): FileKind {
  if (given !== 'CSV') return { format: given };
  if (described === undefined) throw new Error('a CSV was let through without a mapping');
  const { sign, delimiter, ...columns } = described;
  return {
    format: given,
    mapping: { ...columns, isInverted: sign === 'DEBIT_POSITIVE', delimiter: delimiter === 'TAB' ? '\t' : delimiter },
  };
}

export function getReconciliationImportsById(app: ZodApp, deps: DepsOf<typeof getImport>): void {
  app.get(
    '/reconciliation/imports/:id',
    {
      schema: {
        operationId: 'getBankImport',
        summary: 'A file of a bank, and how it compares with our books now',
        params: idParams,
        response: { 200: comparedImportShape, ...failuresFor('IMPORT_NOT_FOUND') },
      },
    },
    async ({ params }) => toComparedImport(await getImport(deps, params.id)),
  );
}

const pages = pagedBy('reconciliation-imports', uuidKey);

const importsQuery = pages.query.extend({ rail: optional(rail) });

export function getReconciliationImports(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/reconciliation/imports',
    {
      schema: {
        operationId: 'listBankImports',
        summary: 'Files of banks that were imported, newest first',
        querystring: importsQuery,
        response: { 200: listOf(importShape) },
      },
    },
    async ({ actor, query: asked }) =>
      pages.page(await readLong(actor, async (db) => listImports({ db }, asked)), asked, toImport),
  );
}

const list = listOrFile('reconciliation', pagedBy('reconciliation-items', uuidKey), itemShape);

const itemsQuery = list.query.extend({
  rail: optional(rail),
  status: optional(itemStatus),
  importId: optional(z.uuid()),
  from: optional(dayIn).meta({ description: 'Of this day or later: the bank’s, or of a posting alone ours' }),
  to: optional(dayIn).meta({ description: 'Of this day or earlier' }),
});

export function getReconciliationItems(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listItems>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/reconciliation/items',
    {
      schema: {
        operationId: 'listReconciliationItems',
        summary: 'Lines of banks and postings of ours, and whether each has the other, newest first',
        querystring: itemsQuery,
        response: { 200: list.response },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, async (db) => listItems({ ...deps, db }, { ...asked, ...page })),
        toItem,
      });
    },
  );
}

export function postReconciliationImports(app: ZodApp, deps: DepsOf<typeof importFile>): void {
  app.post(
    '/reconciliation/imports',
    {
      bodyLimit: BODY_MAX,
      schema: {
        operationId: 'importBankFile',
        summary: 'Read a bank’s file, and compare it with our books',
        body: fileBody,
        response: {
          200: comparedImportShape.describe('The same file was imported before'),
          201: comparedImportShape,
          ...failuresFor('BANK_FILE_UNREADABLE', 'BANK_FILE_DOES_NOT_TIE', 'BANK_FILE_UNPROVED'),
        },
      },
    },
    async ({ body, actor }, reply) => {
      // A large file was read as a body until now: others have their turn before it is decoded.
      await turn();
      const { content, encoding, charset, ...given } = body;
      const imported = await importFile(deps, {
        ...given,
        actor,
        content: encoding === 'text' ? content : textOf(Buffer.from(content, 'base64'), charset),
        kind: kindOf(body),
      });
      reply.code(imported.isNew ? 201 : 200);
      return toComparedImport(imported);
    },
  );
}

const body = z.discriminatedUnion(
  'action',
  [
    z.object({
      action: z.literal('MATCH'),
      transactionId: z.int().min(1).meta({ description: 'Our posting on the clearing account of the rail' }),
      reason,
    }),
    z.object({ action: z.literal('TIMING'), reason }),
    z.object({ action: z.literal('DISTINCT'), reason }),
    z.object({
      action: z.literal('BOOK'),
      nuban: text(10).meta({ description: 'Of the wallet that it came in for' }),
      senderName: optional(shownName(100)),
      reason,
    }),
    z.object({
      action: z.literal('POST'),
      account: z.enum(postable).meta({ description: 'DIFFERENCE: unexplained; FEE: what a bank charged' }),
      reason,
    }),
  ],
  { error: 'must be MATCH, TIMING, DISTINCT, BOOK or POST' },
);

export function postReconciliationItemsResolve(app: ZodApp, deps: DepsOf<typeof resolveItem> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /reconciliation/items/:id/resolve',
    params: idParams,
    body,
    waits: 'as judged',
    repeatable: true,
    run: async ({ params, body: resolution, actor, judge }) =>
      toItem(await resolveItem(deps, { ...resolution, id: params.id, actor, judge })),
  });
  app.post(
    '/reconciliation/items/:id/resolve',
    {
      schema: {
        operationId: 'resolveReconciliationItem',
        summary:
          'Match what is open by hand, wait for its other side, book it, post the difference, or say that a repeated line is another one',
        params: idParams,
        body,
        response: {
          200: itemShape,
          202: approvalShape,
          ...failuresFor(
            'RECONCILIATION_ITEM_NOT_FOUND',
            'TRANSACTION_NOT_FOUND',
            'WALLET_NOT_FOUND',
            'RECONCILIATION_ITEM_STATE_CONFLICT',
            'REFERENCE_REUSED',
          ),
        },
      },
    },
    handle,
  );
}
