import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod';
import { repetitions } from './cases.ts';

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

const run = promisify(execFile);
const PATH = `${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;
const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** The command that an ordinary run leaves out: npm takes as much CPU to install the packages as ten tests. */
const INSTALL = 'npm ci --include=dev --ignore-scripts --no-audit --no-fund';
const installs = repetitions({ short: 0, soak: 1 }) === 1;

const NEEDS_CONTAINER = /\bchown\b|\/usr\/local\//;

export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** From one FROM to the next. */
export interface Stage {
  readonly image: string;
  /** What later stages call it. */
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of the project's Dockerfile, as far as this project uses the format. */
export async function readDockerfile(): Promise<Stage[]> {
  const text = await readFile(join(PROJECT, 'Dockerfile'), 'utf8');
  const lines = text.replace(/\\\n/g, ' ').split('\n');
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const line of lines.filter((one) => one.trim() !== '' && !one.startsWith('#'))) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') {
      const [image = '', , as = ''] = rest.split(/\s+/);
      stages.push({ image, name: as, instructions: [] });
    } else {
      stages.at(-1)?.instructions.push({ name, text: rest });
    }
  }
  return stages;
}

/** The words of an instruction in its JSON form, as CMD ["node", "x.ts"]. */
export function exec(stage: Stage, name: string): string[] {
  const found = stage.instructions.find((instruction) => instruction.name === name)?.text ?? '';
  const words: string[] = JSON.parse(/\[.*\]$/.exec(found)?.[0] ?? '[]');
  return words;
}

/**
 * Does what `docker build` would do with the files, each stage in a folder of its own under `folder`: the same copies,
 * and the RUN commands themselves. Commands about users and places outside /app need a container and are left out. The packages
 * are in an ordinary run those of this project, which npm installed by the same lock file.
 * Resolves to the folder that is /app in the image.
 */
export async function buildByHand(stages: readonly Stage[], folder: string): Promise<string> {
  const appOf = (stage: string) => join(folder, stage, 'app');
  for (const [index, { name, instructions }] of stages.entries()) {
    const app = appOf(name || String(index));
    await mkdir(app, { recursive: true });
    for (const instruction of instructions) {
      if (instruction.name === 'COPY') await copy(instruction.text, app, appOf);
      if (instruction.name === 'RUN' && !NEEDS_CONTAINER.test(instruction.text)) await shell(instruction.text, app);
    }
  }
  return appOf(stages.at(-1)?.name || String(stages.length - 1));
}

async function copy(text: string, app: string, appOf: (stage: string) => string): Promise<void> {
  const [, stage, rest = ''] = /^(?:--from=(\S+)\s+)?(.*)$/.exec(text) ?? [];
  const paths = rest.split(/\s+/);
  const target = paths.pop() ?? '';
  for (const path of paths) {
    const source = stage === undefined ? join(PROJECT, path) : join(appOf(stage), path.replace(/^\/app\//, ''));
    const into = target.endsWith('/') ? join(target, path) : target;
    await copyAll(source, join(app, into));
  }
}

/** Copies a file, or all that is in a folder. */
async function copyAll(source: string, target: string): Promise<void> {
  const isFolder = (await stat(source)).isDirectory();
  await mkdir(isFolder ? target : dirname(target), { recursive: true });
  await run('cp', ['-a', isFolder ? `${source}/.` : source, target]);
}

/** What a container of the image would find, and nothing of this project's own packages. */
export const bareEnv = (home: string): Record<string, string> => ({
  PATH,
  HOME: home,
});

/** Packages come from npm's cache on this machine, where they are in it. */
async function shell(text: string, cwd: string): Promise<void> {
  if (text === INSTALL && !installs) return await symlink(join(PROJECT, 'node_modules'), join(cwd, 'node_modules'));
  await run('/bin/sh', ['-c', text], { cwd, env: { ...process.env, PATH, npm_config_prefer_offline: 'true' } });
}
