import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

const CONNECT_TIMEOUT_MS = 2_000;

/** Connection string of the embedded server under `root` when another process of ours runs it now, else undefined. */
export async function runningEmbedded(root: string): Promise<string | undefined> {
  const cluster = join(root, 'cluster');
  const status = await readFile(join(cluster, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
  const port = status.split('\n')[3];
  if (!port) return undefined;
  const password = (await readFile(join(cluster, 'password'), 'utf8')).trim();
  const url = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
    return url;
  } catch {
    return undefined; // a stale file of a server that was killed
  } finally {
    await client.end().catch(() => undefined);
  }
}
