import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { aptGet, isInstallable } from './apt-install.ts';

const run = promisify(execFile);

/** It prepares statements for whoever goes through it from 1.21 on, and counts from then on how often. */
const COUNTS_FROM = '1.24';
/** The Debian whose sources are built where this one's PgBouncer is older. */
const SUITE = 'trixie';
const NEEDED = ['gcc', 'libc6-dev', 'libevent-dev', 'make', 'pkg-config'];
const LEFT_OUT = ['openssl', 'cares', 'pam', 'systemd'].map((part) => `--without-${part}`);
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/pgbouncer', import.meta.url));

/**
 * The path of a PgBouncer that prepares statements: the one that is installed, or one that is built in half a minute where that can be
 * done without asking, and kept.
 *
 * @throws Error with what to do, where there is none and it cannot be built
 */
export async function ensurePreparingPgBouncer(installed: string): Promise<string> {
  const built = join(CACHE, 'pgbouncer');
  for (const path of [installed, built]) if (await prepares(path)) return path;
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

async function prepares(path: string): Promise<boolean> {
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
