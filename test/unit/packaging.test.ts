import { existsSync, globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { SHUTDOWN_MAX_MS } from '#http/drain.ts';
import { defaultsOf } from '../../src/config/defaults.ts';
import { variables } from '../../src/config/variables.ts';
import { blocksOf, documentAt } from '../support/documents.ts';
import {
  type Compose,
  environmentOf,
  exec,
  outside,
  readCompose,
  readDockerfile,
  type Service,
  type Stage,
} from '../support/image.ts';

const OUR_IMAGE = 'paytag';
const OURS = ['secrets', 'migrate', 'api', 'worker'];

let stages: Stage[];
let compose: Compose;
/** What starts without a profile. */
let services: [string, Service][];
/** What starts with one. */
let beside: [string, Service][];

beforeAll(async () => {
  stages = await readDockerfile();
  compose = await readCompose();
  const all = Object.entries(compose.services);
  services = all.filter(([, { profiles }]) => profiles.length === 0);
  beside = all.filter(([, { profiles }]) => profiles.length > 0);
});

const known = new Set(Object.keys(variables.shape).flatMap((name) => [name, `${name}_FILE`]));
/** It ends by itself, and with it its work is done. */
const isOneShot = ({ restart }: Service) => restart === 'no';
const isEnding = ([, service]: [string, Service]) => isOneShot(service);

describe('Dockerfile', () => {
  test('starts from one image, with a stated major version, by its digest', () => {
    expect(stages.length).toBeGreaterThan(1);
    expect(new Set(stages.map(({ image }) => image)).size).toBe(1);
    for (const { image } of stages) expect(image).toMatch(/^node:26-slim@sha256:[0-9a-f]{64}$/);
  });

  test('runs our server and asks our own command line for its health, as a user who is not root', () => {
    const final = stages.at(-1);
    if (final === undefined) throw new Error('there is no stage');
    expect(final.instructions.findLast(({ name }) => name === 'USER')?.text).toBe('node');
    expect(exec(final, 'CMD')).toEqual(['node', '--max-semi-space-size=8', '--enable-source-maps', 'server.js']);
    expect(exec(final, 'HEALTHCHECK')).toEqual(['node', 'paytag.js', 'health']);
  });

  test('holds no configuration and no secret', () => {
    const set = stages.flatMap(({ instructions }) => instructions).filter(({ name }) => /^(ENV|ARG)$/.test(name));
    expect(set.map(({ text }) => text)).toEqual(['MALLOC_ARENA_MAX=2 NODE_COMPILE_CACHE=/app/compiled']);
  });

  test('copies what the build context lets through', async () => {
    const ignore = await readFile(new URL('../../.dockerignore', import.meta.url), 'utf8');
    const [all, ...allowed] = ignore.trim().split('\n');
    const copies = stages.flatMap(({ instructions }) => instructions.filter(({ name }) => name === 'COPY'));
    const copied = copies
      .filter(({ text }) => !text.startsWith('--from'))
      .flatMap(({ text }) => text.split(/\s+/).slice(0, -1));
    expect(all).toBe('*');
    expect(new Set(copied)).toEqual(new Set(allowed.map((line) => line.replace(/^!/, ''))));
    for (const path of copied) expect(existsSync(new URL(`../../${path}`, import.meta.url))).toBe(true);
  });
});

interface Lock {
  packages: Record<string, { link?: boolean; resolved?: string; integrity?: string }>;
}

const REGISTRY = 'https://registry.npmjs.org/';

describe('package-lock.json', () => {
  test('names each package by its digest and from the npm registry, those of other platforms too', async () => {
    const lock = JSON.parse(await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8')) as Lock;
    const packages = Object.entries(lock.packages).filter(([at]) => at !== '');
    expect(packages.length).toBeGreaterThan(500);
    const astray = packages.filter(
      ([, { link, resolved = REGISTRY, integrity = '' }]) =>
        link === true || !resolved.startsWith(REGISTRY) || !/^sha512-[\w+/]{86}==$/.test(integrity),
    );
    expect(astray.map(([at]) => at)).toEqual([]);
  });
});

describe('docker-compose.yml', () => {
  test('has our one-shots, our two roles and their two stores', () => {
    expect(services.map(([name]) => name).toSorted()).toEqual([...OURS, 'postgres', 'redis'].toSorted());
    expect(services.filter(([, { image }]) => image === OUR_IMAGE).map(([name]) => name)).toEqual(OURS);
    expect(services.filter(isEnding).map(([name]) => name)).toEqual(['secrets', 'migrate']);
    expect(compose.services['api']?.environment['ROLE']).toBe('api');
    expect(compose.services['worker']?.environment['ROLE']).toBe('worker');
  });

  test('builds its image once for all that run it, and when told to: each build is another image, for which `up` replaces containers', () => {
    const ours = services.filter(([, { image }]) => image === OUR_IMAGE);
    expect(ours.map(([name, { build, pull_policy }]) => [name, build, pull_policy])).toEqual([
      ['secrets', '.', 'never'],
      ...['migrate', 'api', 'worker'].map((name) => [name, undefined, 'never']),
    ]);
  });

  test('gives what `.env` holds to those who are configured, and to nobody else', () => {
    const given = [...services, ...beside].filter(([, { env_file }]) => env_file.length > 0);
    expect(given.map(([name, { env_file }]) => [name, env_file])).toEqual(
      ['migrate', 'api', 'worker'].map((name) => [name, [{ path: '.env', required: false }]]),
    );
  });

  test('waits for health, or for the end of what ends by itself', () => {
    for (const [, { depends_on }] of services) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        const needed = compose.services[name];
        if (needed === undefined) throw new Error(`a service waits for ${name}, which does not exist`);
        expect([name, condition]).toEqual([
          name,
          isOneShot(needed) ? 'service_completed_successfully' : 'service_healthy',
        ]);
      }
    }
  });

  test('lets `up --wait` end: what ends by itself is waited for by another, and what stays has a health check', () => {
    const awaited = new Set(services.flatMap(([, { depends_on }]) => Object.keys(depends_on)));
    const [ending, staying] = [services.filter(isEnding), services.filter((one) => !isEnding(one))];
    for (const [name, { healthcheck }] of ending) {
      expect([name, awaited.has(name), healthcheck?.disable]).toEqual([name, true, true]);
    }
    for (const [name, { image, healthcheck }] of staying) {
      expect([name, image === OUR_IMAGE || healthcheck?.test !== undefined]).toEqual([name, true]);
    }
  });

  test('lets our servers end in good order: it waits longer than they take at most', () => {
    for (const name of ['api', 'worker']) {
      const graceS = Number(/^(\d+)s$/.exec(compose.services[name]?.stop_grace_period ?? '')?.[1]);
      const delayS = Number(defaultsOf('live', false).SHUTDOWN_DELAY_S);
      expect([name, graceS > delayS + SHUTDOWN_MAX_MS / 1000]).toEqual([name, true]);
    }
  });

  test('gives our image variables that it knows, and runs its command line', () => {
    for (const [, service] of services.filter(([, { image }]) => image === OUR_IMAGE)) {
      expect(Object.keys(service.environment).filter((name) => !known.has(name))).toEqual([]);
      expect(service.command.slice(0, 2)).toEqual(service.command.length === 0 ? [] : ['node', 'paytag.js']);
    }
  });

  test.each(['ENVIRONMENT', 'PUBLIC_URL'])(
    'starts nothing where %s is not said: nobody gets a sandbox by silence',
    (name) => {
      for (const service of ['migrate', 'api', 'worker']) {
        expect(() => environmentOf(compose.services[service], { ...outside, [name]: undefined as never })).toThrow(
          `${name} must be given as `,
        );
      }
    },
  );

  test('gives operator and metrics ports of their own, and publishes none but on this host', () => {
    const env = environmentOf(compose.services['api'], outside);
    const own = [env['OPERATOR_PORT'], env['METRICS_PORT']];
    expect(new Set([undefined, '3000', ...own]).size).toBe(4);
    expect(compose.services['api']?.ports).toEqual(['3000', ...own].map((port) => `127.0.0.1:${port}:${port}`));
    expect(compose.services['worker']?.ports).toEqual([`127.0.0.1:9465:${env['METRICS_PORT']}`]);
  });

  test('gives the owner’s login to the one-shot that migrates alone, and no server migrates by itself', () => {
    const given = services.filter(
      ([, { environment, volumes }]) =>
        'DATABASE_OWNER_URL_FILE' in environment || volumes.some((volume) => volume.startsWith('owner-secrets')),
    );
    expect(given.map(([name]) => name)).toEqual(['secrets', 'migrate']);
    expect(compose.services['secrets']?.network_mode).toBe('none');
    for (const name of ['api', 'worker']) {
      const env = environmentOf(compose.services[name], outside);
      expect([name, env['MIGRATE'], env['DATABASE_URL_FILE']]).toEqual([name, 'never', '/secrets/server/database_url']);
    }
  });

  test('gives the operator’s token to the API alone', () => {
    const given = services.filter(
      ([, { environment, volumes }]) =>
        Object.keys(environment).some((name) => name.startsWith('OPERATOR_TOKEN')) ||
        volumes.some((volume) => volume.startsWith('operator-secrets')),
    );
    expect(given.map(([name]) => name)).toEqual(['secrets', 'api']);
  });

  test('lets nobody to a store without a password, nor to the database by a network', () => {
    const postgres = compose.services['postgres'];
    expect(postgres?.command).toEqual(
      expect.arrayContaining(['listen_addresses=127.0.0.1', 'hba_file=/secrets/database/pg_hba.conf']),
    );
    for (const name of ['migrate', 'api', 'worker']) {
      expect(compose.services[name]?.volumes).toContain('database-socket:/var/run/postgresql:ro');
    }
    const words = services.flatMap(([, { command, environment }]) => [...command, ...Object.values(environment)]);
    expect(words.filter((word) => /requirepass|redis:\/\//.test(word))).toEqual([]);
  });

  test('leads nowhere from the stores: the database is in no network, and redis in one without egress, with those who use it', () => {
    const within = (network: string) =>
      services.filter(
        ([, { networks, network_mode }]) => network_mode === undefined && networks.some((one) => one === network),
      );
    expect(compose.services['postgres']?.network_mode).toBe('none');
    expect(compose.services['redis']?.networks).toEqual(['queue']);
    expect(compose.networks).toEqual({ default: null, queue: { internal: true } });
    expect(within('queue').map(([name]) => name)).toEqual(['redis', 'migrate', 'api', 'worker']);
    expect(within('default').map(([name]) => name)).toEqual(['migrate', 'api', 'worker']);
    for (const [, { networks }] of beside) expect(networks).toEqual(['default']);
  });

  test('ends a server that stays unhealthy, which is started anew then', () => {
    for (const name of ['api', 'worker']) {
      const { restart, init, healthcheck } = compose.services[name] ?? {};
      expect([restart, init]).toEqual(['unless-stopped', true]);
      expect(healthcheck?.test).toEqual(['CMD', 'node', 'paytag.js', 'health', '--end-child-of', '1']);
    }
  });

  test('says the major version of the images that are not ours, and names them by digest', () => {
    for (const [, { image }] of services.filter(([name]) => !OURS.includes(name)))
      expect(image).toMatch(/^[a-z]+:\d+@sha256:[0-9a-f]{64}$/);
  });

  test('takes from every container what it does not need', () => {
    for (const [name, service] of services) {
      expect([name, service.read_only, service.cap_drop, service.security_opt]).toEqual([
        name,
        true,
        ['ALL'],
        ['no-new-privileges:true'],
      ]);
      for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
    for (const [name, { deploy }] of [...services, ...beside])
      expect([name, deploy?.resources.limits.memory]).not.toContain(undefined);
  });

  test('runs the stores as their own users, for ours is not root by its image', () => {
    const users = services.filter(([, { image }]) => image !== OUR_IMAGE).map(([name, { user }]) => [name, user]);
    expect(users).toEqual([
      ['postgres', 'postgres'],
      ['redis', 'redis'],
    ]);
  });

  test('keeps what must stay in volumes, and lets only their creator write the secrets', () => {
    const mountsOf = (of: [string, Service][]) =>
      of.flatMap(([name, { volumes }]) => volumes.map((volume) => [name, ...volume.split(':')]));
    const mounts = mountsOf(services);
    const kept = mountsOf([...services, ...beside]).filter(([, volume]) => !volume?.startsWith('.'));
    expect(new Set(kept.map(([, volume]) => volume))).toEqual(new Set(Object.keys(compose.volumes)));
    expect(compose.services['postgres']?.volumes).toContain('database:/var/lib/postgresql');
    expect(compose.services['redis']?.volumes).toContain('queue:/data');
    expect(compose.services['redis']?.command.join(' ')).toBe(
      'redis-server /secrets/redis/redis.conf --maxmemory-policy noeviction --appendonly yes',
    );
    const secrets = mounts.filter(([name, volume]) => volume?.endsWith('-secrets') && name !== 'secrets');
    expect(secrets.length).toBeGreaterThan(3);
    for (const [, , , mode] of secrets) expect(mode).toBe('ro');
    expect(secrets.filter(([, volume]) => volume === 'server-secrets').map(([name]) => name)).not.toContain('postgres');
  });

  test('looks at itself with what profiles start: pinned, on this host alone, without our secrets, with files that exist', () => {
    const byProfile = (profile: string) =>
      beside.filter(([, { profiles }]) => profiles.some((one) => one === profile)).map(([name]) => name);
    expect([byProfile('observe'), byProfile('mail')]).toEqual([['prometheus', 'grafana', 'jaeger'], ['mail']]);
    for (const [name, service] of beside) {
      expect([name, service.read_only, service.cap_drop]).toEqual([name, true, ['ALL']]);
      expect(service.image).toMatch(/^[a-z]+\/[a-z]+:v?\d+\.\d+\.\d+@sha256:[0-9a-f]{64}$/);
      expect([name, service.user === undefined || service.user === 'root']).toEqual([name, false]);
      for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:/);
      expect(service.healthcheck?.test?.[0]).toBe('CMD');
      expect(service.volumes.filter((volume) => volume.includes('secrets'))).toEqual([]);
      const files = service.volumes.map((volume) => volume.split(':')[0] ?? '').filter((from) => from.startsWith('.'));
      expect(files.filter((file) => !existsSync(file))).toEqual([]);
    }
    const published = [...services, ...beside].flatMap(([, { ports }]) => ports.map((port) => port.split(':')[1]));
    expect(new Set(published).size).toBe(published.length);
  });
});

/** What the guide puts into docker-compose.override.yml. */
const additionShape = z.strictObject({
  services: z
    .record(z.string(), z.strictObject({ extends: z.record(z.string(), z.string()), ports: z.array(z.string()) }))
    .optional(),
  networks: z
    .strictObject({
      default: z.strictObject({
        ipam: z.strictObject({ config: z.tuple([z.strictObject({ subnet: z.string() })]) }),
      }),
    })
    .optional(),
});

test('docker-compose.yml is added to as the guide says: a second API on ports of its own, and the address of a proxy on this host', () => {
  const guide = documentAt('src/docs/deploy.md');
  const [networks, second] = blocksOf(guide, 'yaml').map((block) =>
    additionShape.parse(parse(block, { logLevel: 'error' })),
  );
  const [name = '', { extends: extended, ports = [] } = {}] = Object.entries(second?.services ?? {})[0] ?? [];
  expect(Object.keys(compose.services)).not.toContain(name);
  expect(extended).toEqual({ file: 'docker-compose.yml', service: 'api' });
  const hostPort = (port: string) => /^127\.0\.0\.1:(\d+):/.exec(port)?.[1];
  const taken = Object.values(compose.services).flatMap((service) => service.ports.map(hostPort));
  expect(ports.map(hostPort).filter((port) => port === undefined || taken.includes(port))).toEqual([]);
  expect(ports.map((port) => port.split(':')[2])).toEqual(['3000', '9464']);
  const [, first] = /^(\d+\.\d+\.\d+)\.0\/24$/.exec(networks?.networks?.default.ipam.config[0].subnet ?? '') ?? [];
  expect(guide.text).toContain(`\`TRUSTED_PROXIES=${first}.1\``);
});

const container = z.object({
  name: z.string(),
  command: z.array(z.string()).default([]),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  securityContext: z.object({
    readOnlyRootFilesystem: z.literal(true),
    allowPrivilegeEscalation: z.literal(false),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  resources: z.object({ limits: z.object({ memory: z.string() }) }),
  volumeMounts: z.array(z.object({ mountPath: z.string(), readOnly: z.boolean().default(false) })),
});
const pods = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        terminationGracePeriodSeconds: z.number().optional(),
        securityContext: z.object({ runAsNonRoot: z.literal(true) }),
        containers: z.tuple([container]),
      }),
    }),
  }),
});
const shape = z.looseObject({ kind: z.string(), data: z.record(z.string(), z.string()).default({}) });

const objects = blocksOf(documentAt('src/docs/kubernetes.md'), 'yaml')
  .flatMap((block) => parseAllDocuments(block))
  .map((document) => shape.parse(document.toJS()));
const ofPods = objects
  .filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
  .map((object) => pods.parse(object).spec.template.spec);
const shared = objects.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};

const secretsOf = (paths: readonly string[]) => paths.filter((path) => path.startsWith('/secrets/')).toSorted();
const mountsOf = ({ volumes }: Service) => volumes.map((volume) => volume.split(':')[1] ?? '');

test('what the page runs in Kubernetes is what compose runs: command, variables, secrets, ports and time to end', () => {
  expect(ofPods.map(({ containers: [{ name }] }) => name)).toEqual(['migrate', 'api', 'worker']);
  for (const { containers, terminationGracePeriodSeconds } of ofPods) {
    const [{ name, command, env, ports, volumeMounts }] = containers;
    const there = compose.services[name];
    if (there === undefined) throw new Error(`compose has no ${name}`);
    expect([name, command]).toEqual([name, there.command]);
    const given = { ...shared, ...Object.fromEntries(env.map((one) => [one.name, one.value])) };
    expect(Object.keys(given).filter((variable) => !known.has(variable))).toEqual([]);
    const files = (of: Record<string, string>) =>
      Object.fromEntries(Object.entries(of).filter(([variable]) => variable.endsWith('_FILE')));
    expect([name, files(given)]).toEqual([name, files(there.environment)]);
    expect([name, given['ROLE']]).toEqual([name, there.environment['ROLE']]);
    expect(volumeMounts.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => mountPath)).toEqual(there.tmpfs);
    expect([name, secretsOf(volumeMounts.map(({ mountPath }) => mountPath))]).toEqual([
      name,
      secretsOf(mountsOf(there)),
    ]);
    const inside = there.ports.map((port) => Number(port.split(':').at(-1)));
    expect(ports.map(({ containerPort }) => containerPort)).toEqual(expect.arrayContaining(inside));
    const graceS = terminationGracePeriodSeconds;
    expect(graceS === undefined ? undefined : `${graceS}s`).toBe(there.stop_grace_period);
  }
});

test('its probes ask for what the server answers', () => {
  const asked = JSON.stringify(objects).match(/"path":"[^"]+"/g) ?? [];
  const answered = globSync('src/routes/open/*.ts').map((file) => readFileSync(file, 'utf8')).join('\n'); // biome-ignore format: one line
  expect(new Set(asked).size).toBe(2);
  for (const one of asked) expect(answered).toContain(`'${one.slice('"path":"'.length, -1)}'`);
  expect(existsSync('src/cli/paytag.js')).toBe(true);
});
