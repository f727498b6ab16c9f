import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import {
  type ComparisonRow,
  type ComparisonView,
  compareDay,
  getComparison,
  listComparisons,
  listRails,
  type RailView,
} from '#modules/reconciliation';
import { dayParam, momentOut } from '#wire/moment.ts';
import { amountOut, toMajor, toMajorIfAny } from '#wire/money.ts';
import { pagedBy, uuidKey } from '#wire/paging.ts';
import { optional, optionalReason, text } from '#wire/text.ts';
import { asFile, fileQuery, listOrFile, withFile } from './list-or-file.ts';

const providerParam = text(50).meta({
  description: 'A provider of payouts or of account numbers',
  example: 'paystack',
});

const comparedDay = dayParam;

/** What differs of one movement. */
const differenceShape = z.object({
  kind: z.enum(['TRANSFER', 'CHARGE']),
  reference: z.string().meta({ description: 'Of an UNREADABLE row what names it, as text; empty where nothing does' }),
  what: z.string().meta({
    description:
      'WE_LACKED: it is booked now. THEY_LACK: the provider does not know it, or has not ended what has ended here. UNREADABLE: it has a row that is not as documented. Any other: what the inbox says',
    example: 'WE_LACKED',
  }),
  ours: amountOut.optional(),
  theirs: amountOut.optional(),
  corrected: z
    .literal(true)
    .optional()
    .meta({ description: 'Operators have booked since that it was paid: nothing is open any more' }),
});

/** A comparison of a provider’s list of a day with ours. */
const comparisonShape = z.object({
  provider: z.string(),
  date: z.string().meta({ example: '2026-01-31' }),
  theirs: z.object({ count: z.int(), amount: amountOut }),
  ours: z.object({ count: z.int(), amount: amountOut }),
  differences: z.array(differenceShape),
  comparedAt: momentOut,
});

/** A comparison in a list. */
const listedComparisonShape = comparisonShape.omit({ differences: true }).extend({
  differences: z.int().meta({ description: 'How many: the comparison of the day names each' }),
  comparedBy: z.string().meta({ description: 'Who asked for it, or `nightly`', example: 'nightly' }),
});

const countsOf = (row: ComparisonRow) => ({
  provider: row.provider,
  date: row.day,
  theirs: { count: row.theirCount, amount: toMajor(row.theirAmount) },
  ours: { count: row.ourCount, amount: toMajor(row.ourAmount) },
  comparedAt: row.comparedAt.toISOString(),
});

const toComparison = (row: ComparisonRow & Partial<ComparisonView>): z.input<typeof comparisonShape> => ({
  ...countsOf(row),
  differences: row.differences.map(({ ours, theirs, ...difference }) => ({
    ...difference,
    ours: ours === undefined ? undefined : toMajor(BigInt(ours)),
    theirs: theirs === undefined ? undefined : toMajor(BigInt(theirs)),
    corrected: row.corrected?.has(difference.reference) || undefined,
  })),
});

const toListedComparison = (row: ComparisonRow): z.input<typeof listedComparisonShape> => ({
  ...countsOf(row),
  differences: row.differences.length,
  comparedBy: row.actor,
});

export function getRailsComparisonsByDate(app: ZodApp, deps: DepsOf<typeof getComparison>): void {
  app.get(
    '/rails/:provider/comparisons/:date',
    {
      schema: {
        operationId: 'getRailComparison',
        summary: 'The last comparison of a day with a provider’s list, and what differed',
        params: z.object({ provider: providerParam, date: comparedDay }),
        querystring: fileQuery,
        response: { 200: withFile(comparisonShape), ...failuresFor('COMPARISON_NOT_FOUND') },
      },
    },
    async ({ params: { provider, date: day }, query }, reply) => {
      const answer = toComparison(await getComparison(deps, { provider, day }));
      if (query.format !== 'csv') return answer;
      return asFile(reply, `${provider}-${day}`, differenceShape, answer, ({ differences }) => differences);
    },
  );
}

const list = listOrFile('comparisons', pagedBy('comparisons', uuidKey), listedComparisonShape);

const query = list.query.extend({
  from: optional(dayParam).meta({ description: 'Of this day or a later one' }),
  to: optional(dayParam).meta({ description: 'Of this day or an earlier one' }),
});

export function getRailsComparisons(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listComparisons>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/rails/:provider/comparisons',
    {
      schema: {
        operationId: 'listRailComparisons',
        summary: 'Comparisons of a provider’s lists with ours, the last one first',
        params: z.object({ provider: providerParam }),
        querystring: query,
        response: { 200: list.response },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      const { provider } = request.params;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) =>
          readLong(request.actor, (db) => listComparisons({ ...deps, db }, { ...asked, ...page, provider })),
        toItem: toListedComparison,
      });
    },
  );
}

export function postRailsCompare(app: ZodApp, deps: DepsOf<typeof compareDay>): void {
  app.post(
    '/rails/:provider/compare',
    {
      schema: {
        operationId: 'compareRail',
        summary: 'Compare a provider’s list of a day with ours: what we lack is booked, what it lacks is asked about',
        params: z.object({ provider: providerParam }),
        body: z.object({ date: comparedDay, reason: optionalReason }),
        response: { 200: comparisonShape, ...failuresFor('RAIL_NOT_FOUND', 'RAIL_PROVIDER_UNAVAILABLE') },
      },
    },
    async ({ params: { provider }, body: { date: day, reason }, actor }) =>
      toComparison(await compareDay(deps, { provider, day, actor, reason })),
  );
}

const rail = z.object({
  provider: z.string().meta({ example: 'paystack' }),
  balance: z.number().optional().meta({
    description: 'What we have there, as it says now; left out where it keeps none for us, or does not answer',
  }),
  answers: z.boolean().optional().meta({ description: 'Whether it answered just now; left out where it is not asked' }),
  accounts: z.array(z.object({ account: z.string().meta({ example: 'CLEARING_PAYOUT' }), balance: z.number() })).meta({
    description: 'Our clearing accounts of what it carries: below zero, what it has taken in and not paid out',
  }),
  oldestUnknownPayout: z
    .object({ id: z.uuid(), sentAt: momentOut.optional() })
    .optional()
    .meta({ description: 'Of those with an unknown outcome' }),
  lastComparison: z
    .object({ date: z.string().meta({ example: '2026-01-31' }), comparedAt: momentOut, differences: z.int() })
    .optional()
    .meta({ description: 'Of the latest day that was compared' }),
});

const rails = z.object({ items: z.array(rail) });

export function getRails(app: ZodApp, deps: DepsOf<typeof listRails>): void {
  app.get(
    '/rails',
    {
      schema: {
        operationId: 'listRails',
        summary: 'The providers that move money for us: what stands there, what stands here, and what is open',
        response: { 200: rails },
      },
    },
    async () => ({ items: (await listRails(deps)).map(toRail) }),
  );
}

const toRail = ({
  balance,
  accounts,
  oldestUnknownPayout,
  lastComparison,
  ...one
}: RailView): z.input<typeof rail> => ({
  ...one,
  balance: toMajorIfAny(balance),
  accounts: accounts.map((each) => ({ ...each, balance: toMajor(each.balance) })),
  oldestUnknownPayout: oldestUnknownPayout && {
    id: oldestUnknownPayout.id,
    sentAt: oldestUnknownPayout.sentAt?.toISOString(),
  },
  lastComparison: lastComparison && {
    date: lastComparison.day,
    comparedAt: lastComparison.comparedAt.toISOString(),
    differences: lastComparison.differences.length,
  },
});
