import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createLog } from '#lib/log.ts';
import { openResources } from '../../src/composition.ts';
import { readConfig } from '../../src/config/config.ts';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { startEmbedded } from '../../src/embedded/start-embedded.ts';
import { prepareDatabase } from '../../src/prepare-database.ts';
import { serverEnv } from '../support/process.ts';
import { readRows } from './stored-rows.ts';

// `npm run release:keep`, when a version is released: keeps what the demo leaves in a database of this schema, for the test
// that upgrades it, and the server of this version, for the test that runs it beside the next one. Of servers the last one is
// kept, of data all. `-- --rows` keeps the data alone, between releases.

const run = promisify(execFile);
const here = import.meta.dirname;
const root = join(here, '../..');
/** What a server is made of, but for what nothing that the test does needs. */
const SERVER = ['package.json', 'src', 'migrations'];
const LEFT_OUT = ['src/client', 'src/docs/collections', 'migrations/schema.sql', 'migrations/meta/*_snapshot.json'];

const { entries } = JSON.parse(await readFile(join(root, 'migrations/meta/_journal.json'), 'utf8'));
const last: string = entries.at(-1).tag;

const folder = await mkdtemp(join(tmpdir(), 'paytag-keep-'));
const cluster = await startEmbedded(join(folder, 'cluster'));
try {
  const url = cluster.url('postgres');
  const config = { ...readConfig({}, serverEnv(url)), dataDir: folder };
  await prepareDatabase({ url, ownerUrl: undefined }, config);
  const resources = await openResources(config, url, createLog('warn'));
  await loadDemo(resources);
  await resources.close();
  await writeFile(join(here, `${last}.rows.gz`), gzipSync(await readRows(url), { level: 9 }));
} finally {
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
}

if (!process.argv.includes('--rows')) {
  for (const name of await readdir(here)) if (name.endsWith('.server.tgz')) await rm(join(here, name));
  const left = LEFT_OUT.map((path) => `--exclude=${path}`);
  await run('tar', ['-czf', join(here, `${last}.server.tgz`), ...left, ...SERVER], { cwd: root });
}
