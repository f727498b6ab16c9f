import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { supervise } from '../../src/embedded/supervisor.ts';
import { eventually } from './eventually.ts';
import { ownPort } from './process.ts';
import { aptGet, isInstallable } from './setup/apt-install.ts';

/** It runs as whoever runs the tests, or as `nobody` where that is root, which it refuses. */
const ourselves = { name: 'ourselves', prefix: [] };

/** To PostgreSQL: fewer than a server of ours opens, so that they change hands all the time. */
const CONNECTIONS = 3;

/** More than the server has. */
const STATEMENTS_MAX = 2_000;
const LOGIN = { user: 'paytag_server', password: 'of-the-tests' };

interface TestPgBouncer {
  /** Resolves a database's URL to the one through it. */
  through(databaseUrl: string): string;
  /** Says something in its console. */
  ask<Row>(command: string): Promise<Row[]>;
}

/**
 * A real PgBouncer in transaction mode for this test file, or one part of it.
 *
 * @param given.prepares takes one that prepares statements; it is built where the one that is installed does not
 * @param given.connections to PostgreSQL
 */
export function usePgBouncer({ prepares = false, connections = CONNECTIONS } = {}): TestPgBouncer {
  let port = 0;
  let end = async () => {};
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'paytag-test-pgbouncer-'));
    port = await ownPort();
    const program = prepares ? await ensurePreparingPgBouncer(inject('pgbouncer')) : inject('pgbouncer');
    const { hostname, port: behind } = new URL(inject('databaseServerUrl'));
    const lines = [
      '[databases]',
      `* = host=${hostname} port=${behind}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'pool_mode = transaction',
      'auth_type = plain',
      `auth_file = ${join(folder, 'users')}`,
      `default_pool_size = ${connections}`,
      `admin_users = ${LOGIN.user}`,
      ...(prepares ? [`max_prepared_statements = ${STATEMENTS_MAX}`] : []),
      ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
    ];
    await writeFile(join(folder, 'users'), `"${LOGIN.user}" "${LOGIN.password}"\n`, { mode: 0o644 });
    await writeFile(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
    const command = [program, join(folder, 'pgbouncer.ini')];
    const pooler = await supervise(command, ourselves, join(folder, 'pgbouncer.log'));
    end = async () => {
      await pooler.stop();
      await rm(folder, { recursive: true, force: true });
    };
    await eventually(async () => {
      if (pooler.child.exitCode !== null) throw new Error(`pgbouncer ended with code ${pooler.child.exitCode}`);
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect').finally(() => socket.destroy());
    });
  });
  afterAll(() => end());
  return {
    through: (databaseUrl) => Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    async ask(command) {
      const console = new Client({ host: '127.0.0.1', port, database: 'pgbouncer', ...LOGIN });
      await console.connect();
      try {
        return (await console.query(command)).rows;
      } finally {
        await console.end();
      }
    },
  };
}

const run = promisify(execFile);

/** It prepares statements for whoever goes through it from 1.21 on, and counts from then on how often. */
const COUNTS_FROM = '1.24';
/** The Debian whose sources are built where this one's PgBouncer is older. */
const SUITE = 'trixie';
const NEEDED = ['gcc', 'libc6-dev', 'libevent-dev', 'make', 'pkg-config'];
const LEFT_OUT = ['openssl', 'cares', 'pam', 'systemd'].map((part) => `--without-${part}`);
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/pgbouncer', import.meta.url));

/**
 * The path of a PgBouncer that prepares statements: the one that is installed, or one that is built in half a minute where that can be
 * done without asking, and kept.
 *
 * @throws Error with what to do, where there is none and it cannot be built
 */
async function ensurePreparingPgBouncer(installed: string): Promise<string> {
  const built = join(CACHE, 'pgbouncer');
  for (const path of [installed, built]) if (await preparesStatements(path)) return path;
  const advice = `install PgBouncer ${COUNTS_FROM} or newer and put pgbouncer on the PATH`;
  if (!isInstallable()) throw new Error(`the tests need a PgBouncer that prepares statements: ${advice}`);
  process.stdout.write(`Building pgbouncer from the sources of Debian ${SUITE}, which the tests need ...\n`);
  const folder = await mkdtemp(join(tmpdir(), 'paytag-test-pgbouncer-build-'));
  try {
    const program = await build(folder);
    await mkdir(CACHE, { recursive: true });
    await run('cp', [program, `${built}-${process.pid}`]);
    await rename(`${built}-${process.pid}`, built);
  } catch (cause) {
    throw new Error(`the tests need a PgBouncer that prepares statements, and could not build it: ${advice}`, {
      cause,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return built;
}

async function preparesStatements(path: string): Promise<boolean> {
  const { stdout } = await run(path, ['--version']).catch(() => ({ stdout: '' }));
  const [, version] = /^PgBouncer (\d+\.\d+)/.exec(stdout) ?? [];
  return version !== undefined && version.localeCompare(COUNTS_FROM, 'en', { numeric: true }) >= 0;
}

async function build(folder: string): Promise<string> {
  await aptGet('update');
  await aptGet('install', '--yes', '--no-install-recommends', ...NEEDED);
  await chmod(folder, 0o755); // apt downloads as another user
  const from = await ownSources(folder);
  await aptGet(...from, 'update');
  const source = join(folder, 'source');
  await mkdir(source);
  await run('apt-get', [...from, 'source', '--download-only', 'pgbouncer'], { cwd: source });
  const archive = (await readdir(source)).find((name) => name.includes('.orig.tar.'));
  if (archive === undefined) throw new Error('apt-get source left no archive');
  await run('tar', ['-xf', archive, '--strip-components=1'], { cwd: source });
  await run('./configure', LEFT_OUT, { cwd: source });
  await run('make', ['-j2', 'pgbouncer'], { cwd: source, maxBuffer: 64 * 1024 * 1024 });
  return join(source, 'pgbouncer');
}

/** What has apt-get look at the sources of that Debian, by lists of their own: nothing changes for what this machine installs. */
async function ownSources(folder: string): Promise<string[]> {
  const format = '$(REPO_URI) $(LABEL)';
  const { stdout } = await run('apt-get', ['indextargets', '--format', format, 'Created-By: Packages']);
  const mirror = /^(\S+) Debian$/m.exec(stdout)?.[1];
  if (mirror === undefined) throw new Error('this is no Debian');
  const list = join(folder, 'sources.list');
  await writeFile(list, `deb-src ${mirror} ${SUITE} main\n`);
  await Promise.all(['lists', 'cache'].map((name) => mkdir(join(folder, name))));
  return [
    `Dir::Etc::SourceList=${list}`,
    'Dir::Etc::SourceParts=-',
    `Dir::State::Lists=${join(folder, 'lists')}`,
    `Dir::Cache=${join(folder, 'cache')}`,
  ].flatMap((option) => ['-o', option]);
}
