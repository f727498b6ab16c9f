import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';

const condition = z.enum(['service_started', 'service_healthy', 'service_completed_successfully']);

const serviceShape = z.strictObject({
  image: z.string(),
  build: z.literal('.').optional(),
  pull_policy: z.literal('never').optional(),
  env_file: z.array(z.strictObject({ path: z.string(), required: z.boolean() })).default([]),
  command: z.array(z.string()).default([]),
  user: z.string().optional(),
  init: z.boolean().optional(),
  /** It starts where this profile is asked for, and else not. */
  profiles: z.array(z.enum(['observe', 'mail'])).default([]),
  restart: z.enum(['no', 'on-failure', 'unless-stopped', 'always']).default('no'),
  stop_grace_period: z.string().optional(),
  network_mode: z.string().optional(),
  networks: z.array(z.enum(['default', 'queue'])).default(['default']),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  logging: z.object({ driver: z.string() }).optional(),
  shm_size: z.string().optional(),
  deploy: z
    .strictObject({
      resources: z.strictObject({ limits: z.strictObject({ memory: z.string(), pids: z.number() }) }),
    })
    .optional(),
  ports: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  volumes: z
    .array(
      z.string().regex(/^([a-z-]+:\/[a-z/]+(:ro)?|\.\/src\/metrics\/observe\/[a-z/]+(\.yml)?:\/[a-z/]+(\.yml)?:ro)$/),
    )
    .default([]),
  environment: z.record(z.string(), z.string()).default({}),
  healthcheck: z
    .strictObject({
      disable: z.boolean().default(false),
      test: z.array(z.string()).optional(),
      interval: z.string().optional(),
      timeout: z.string().optional(),
      start_period: z.string().optional(),
    })
    .optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition })).default({}),
});

const composeShape = z.looseObject({
  services: z.record(z.string(), serviceShape),
  volumes: z.record(z.string(), z.null()),
  networks: z.record(z.string(), z.strictObject({ internal: z.boolean() }).nullable()),
});

export type Service = z.output<typeof serviceShape>;
export type Compose = z.output<typeof composeShape>;

/** docker-compose.yml, with its anchors merged; a member that is unknown or misspelt is refused. */
export async function readCompose(): Promise<Compose> {
  const text = await readFile(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
  return composeShape.parse(parse(text, { merge: true }));
}

/** What a service is given, with what is set outside: `${NAME:-default}` is its default, and `${NAME:?reason}` must be given. */
export const environmentOf = (
  service: Service | undefined,
  outside: Record<string, string> = {},
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(service?.environment ?? {}).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_all, variable: string, kind: string, text: string) => {
        const given = outside[variable];
        if (given === undefined && kind === '?') throw new Error(`${variable} ${text}`);
        return given ?? text;
      }),
    ]),
  );

/** A sandbox, as a developer who reads the guide sets it up. */
export const outside = { ENVIRONMENT: 'sandbox', PUBLIC_URL: 'http://localhost:3000' };
