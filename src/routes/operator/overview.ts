import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { type ProcessFacts, readSettings } from '#modules/keys';
import { momentOut } from '#wire/moment.ts';
import { optionalReason, text } from '#wire/text.ts';
import { readOverview } from './enquiries/overview.ts';
import { type Found, foundKinds, search } from './enquiries/search.ts';
import { overviewShape, toOverview } from './shapes/overview.ts';

export function getOverview(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof readOverview>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/overview',
    {
      schema: {
        operationId: 'getOverview',
        summary: 'Whether anything is wrong now, and the money of the day',
        response: { 200: overviewShape },
      },
    },
    async ({ actor }) => toOverview(await readLong(actor, (db) => readOverview({ ...deps, db }))),
  );
}

const body = z.object({
  q: text(100).meta({ description: 'What is looked for', example: 'order-1' }),
  reason: optionalReason,
});

const found = z.object({
  kind: z.enum(foundKinds),
  id: z.string().meta({ description: 'What it is read by: its id, reference, handle or serial number' }),
  title: z.string().meta({ description: 'What tells it from others; it says nothing of a person' }),
  where: z.string().meta({ description: 'What shows it, under this API', example: '/wallets/PW-1' }),
});

const paths: Readonly<Record<Found['kind'], string>> = {
  APPLICATION: '/applications',
  APPROVAL: '/approvals',
  BANK_FILE: '/reconciliation/imports',
  CUSTOMER: '/customers',
  DELIVERY: '/deliveries',
  DISPUTE: '/disputes',
  MESSAGE: '/inbox',
  PARTNER: '/partners',
  PAYOUT: '/payouts',
  REQUEST: '/requests',
  TAG: '/tags',
  TERMINAL: '/terminals',
  TRANSACTION: '/transactions',
  WALLET: '/wallets',
};

export function postSearch(app: ZodApp, deps: DepsOf<typeof search>): void {
  app.post(
    '/search',
    {
      schema: {
        operationId: 'searchRecords',
        summary:
          'Find whatever a text names: a reference, a tag, an account number, a phone, a BVN, a serial number, an id or the id of a request',
        description:
          'References of ours and of others, PayTags and tags, account numbers, serial numbers of terminals, ids of deliveries and of anything else, X-Request-Ids of what was changed or came with an Idempotency-Key, and the beginning of the name of a partner or an application. A POST, so that no phone and no BVN stands in a URL. A search by phone or BVN is audited, and counts against the searches for customers that an operator may make in an hour.',
        body,
        response: { 200: z.object({ items: z.array(found) }) },
      },
    },
    async ({ body: { q, reason }, actor }) => ({
      items: (await search(deps, { text: q, reason, actor })).map(toFound),
    }),
  );
}

const toFound = ({ kind, id, title, reference }: Found): z.input<typeof found> => ({
  kind,
  id,
  title,
  where:
    reference === undefined
      ? `${paths[kind]}/${encodeURIComponent(id)}`
      : `${paths[kind]}/${encodeURIComponent(reference)}?id=${id}`,
});

const sources = ['ENVIRONMENT', 'FILE', 'GENERATED', 'DEFAULT', 'UNSET'] as const;

/** A variable as this process has it. */
interface Setting {
  name: string;
  value: string | undefined;
  isSecret: boolean;
  source: (typeof sources)[number];
  unit: string | undefined;
  subject: string;
  purpose: string;
}

interface Deps {
  readLong: ReadLong;
  processFacts: ProcessFacts;
  settings: readonly Setting[];
  environment: string;
  role: string;
}

const settingShape = z.object({
  name: z.string().meta({ example: 'WEBHOOK_TIMEOUT_MS' }),
  value: z.string().optional().meta({
    description: 'As it would be given; of a secret nothing, of a URL neither who logs in nor its parameters',
    example: '10000',
  }),
  isSecret: z.boolean(),
  source: z.enum(sources).meta({
    description:
      'FILE: that which NAME_FILE names; GENERATED: made by the embedded sandbox; UNSET: there is none, and no default',
  }),
  unit: z.string().optional().meta({ example: 'milliseconds' }),
  subject: z.string().meta({ description: 'What it is about', example: 'Webhooks' }),
  purpose: z.string().meta({ description: 'What it is for' }),
});

const answer = z.object({
  process: z
    .object({
      host: z.string().meta({ example: 'paytag-api-1' }),
      pid: z.int(),
      version: z.string().meta({ example: '0.2.0' }),
      node: z.string().meta({ description: 'The version of Node.js', example: '26.10.0' }),
      environment: z.string().meta({ example: 'live' }),
      role: z.string().meta({ description: 'all, api or worker', example: 'api' }),
      startedAt: momentOut,
    })
    .meta({ description: 'Which process answered: each has settings of its own' }),
  schema: z.object({
    applied: z.int().meta({ description: 'Migrations that were applied to the database' }),
    latest: z.string().optional().meta({ description: 'The last of them', example: '0000_baseline' }),
    appliedBy: z.string().optional().meta({ description: 'The version that applied it', example: '0.2.0' }),
  }),
  settings: z.array(settingShape),
});

export function getSettings(app: ZodApp, { readLong, environment, role, ...deps }: Deps): void {
  app.get(
    '/settings',
    {
      schema: {
        operationId: 'getSettings',
        summary: 'Every variable of the process that answers, with where its value came from; secrets are not shown',
        response: { 200: answer },
      },
    },
    async ({ actor }) => {
      const { process, schema, settings } = await readLong(actor, (db) => readSettings(deps, db));
      const { startedAt, ...facts } = process;
      return {
        process: { ...facts, environment, role, startedAt: startedAt.toISOString() },
        schema,
        settings: [...settings],
      };
    },
  );
}
