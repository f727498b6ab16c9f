import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { type ProcessFacts, readSettings } from '#modules/installation';
import { momentOut } from '#wire/moment.ts';

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
