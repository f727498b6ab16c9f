import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCluster } from '../../src/embedded/cluster.ts';
import { freePort, listenLocally } from '../../src/embedded/port.ts';
import { installedPrograms, startEmbedded } from '../../src/embedded/start-embedded.ts';
import { stopOrphan } from '../../src/embedded/supervisor.ts';
import { copyCluster, newDatabaseFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

let root = '';
beforeEach(async () => {
  root = await newDatabaseFolder('paytag-test-embedded-');
});
afterEach(() => rm(root, { recursive: true }));

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Another process that starts the server of `root`, says its URL, and stays. */
function startElsewhere() {
  const program = `
    const { startEmbedded } = await import(process.argv[1]);
    console.log((await startEmbedded(process.argv[2])).url('postgres'));
    setInterval(() => {}, 1000);`;
  const module = new URL('../../src/embedded/start-embedded.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, module, root], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, said: once(child.stdout, 'data').then(String), errors: text(child.stderr) };
}

const postmasterFile = async () => (await readFile(join(root, 'cluster/data/postmaster.pid'), 'utf8')).split('\n');
const postmaster = async () => Number((await postmasterFile())[0]);
const postmasterStatus = async () => (await postmasterFile())[7]?.trim();
/** The shell that started PostgreSQL, and the one that listens for the end of our process. */
async function supervisorsOf(pid: number): Promise<number[]> {
  const parent = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/.*\) /s, '').split(' ')[1];
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8');
  return [Number(parent), ...children.trim().split(' ').map(Number)].filter((one) => one !== pid);
}

const lives = (pid: number) => process.kill(pid, 0);

describe('the embedded PostgreSQL', () => {
  test('what was committed is there at the next start', async () => {
    const first = await startEmbedded(root);
    await query(first.url('postgres'), 'create table kept as select 42 as answer');
    await first.stop();
    const second = await startEmbedded(root, { work_mem: '8MB' });
    expect(await query(second.url('postgres'), 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(await query(second.url('postgres'), 'show work_mem')).toEqual([{ work_mem: '8MB' }]);
    await second.stop();
    await expect(query(second.url('postgres'), 'select 1')).rejects.toThrow('ECONNREFUSED');
  });

  test('it ends when the process that started it is killed with -9, and starts again with what was committed', async () => {
    await copyCluster(root);
    const { child, said } = startElsewhere();
    await query(await said, 'create table kept as select 42 as answer');
    const pid = await postmaster();
    child.kill('SIGKILL');

    const again = await startEmbedded(root);
    expect(await query(again.url('postgres'), 'select answer from kept')).toEqual([{ answer: 42 }]);
    await eventually(() => expect(() => lives(pid)).toThrow('ESRCH'));
    await again.stop();
  });

  test('an orphan, whose supervisor was killed with its process, is stopped first', async () => {
    await copyCluster(root);
    const { child, said } = startElsewhere();
    await query(await said, 'create table kept as select 42 as answer');
    const pid = await postmaster();
    for (const supervisor of await supervisorsOf(pid)) process.kill(supervisor, 'SIGKILL');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(lives(pid)).toBe(true);

    const again = await startEmbedded(root);
    await eventually(() => expect(() => lives(pid)).toThrow('ESRCH'));
    expect(await query(again.url('postgres'), 'select answer from kept')).toEqual([{ answer: 42 }]);
    await again.stop();
  });

  test('one that is shutting down is waited for, however long it takes', async () => {
    await copyCluster(root);
    const { child, said } = startElsewhere();
    const client = new Client({ connectionString: await said });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query('select pg_backend_pid() as pid');
    process.kill(rows[0].pid, 'SIGSTOP'); // PostgreSQL ends when its sessions have
    child.kill('SIGKILL');
    await eventually(async () => expect(await postmasterStatus()).toBe('stopping'));

    const { initdb, pg_ctl } = await installedPrograms();
    const { data, user } = await openCluster(root, initdb);
    const stopped = stopOrphan(data, pg_ctl, user, { waitMs: -1 }).then(() => 'stopped', String);
    process.kill(rows[0].pid, 'SIGCONT');
    expect(await stopped).toBe('stopped');
    await client.end().catch(() => undefined);
  });

  test('another port is tried when the first one is taken', async () => {
    await copyCluster(root);
    const quicker = createServer();
    const ports = [await listenLocally(quicker), await freePort()];
    const server = await startEmbedded(root, {}, async () => ports.shift() ?? 0);
    expect(ports).toEqual([]);
    expect(await query(server.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
    quicker.close();
  });

  test('a second server on the same data is refused, and the first one goes on', async () => {
    await copyCluster(root);
    const first = await startEmbedded(root);
    const second = startElsewhere();
    expect(await second.errors).toContain('another running server uses the embedded database');
    expect(await query(first.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
    await first.stop();
  });

  test('data made to run as one user is never opened as another', async () => {
    await copyCluster(root);
    await (await startEmbedded(root)).stop();
    await writeFile(join(root, 'runs-as'), 'user 4711\n');
    await expect(startEmbedded(root)).rejects.toThrow(
      /made to run as "user 4711".*start it as the user who created it/s,
    );
  });

  test('a first start that was interrupted leaves nothing that the next one trips over', async () => {
    const { child } = startElsewhere();
    await eventually(async () => expect((await readdir(root)).join()).toContain('cluster.new'), { intervalMs: 1 });
    child.kill('SIGKILL');
    const server = await startEmbedded(root);
    expect(await query(server.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  test('it says what to do when it cannot start', async () => {
    await copyCluster(root);
    await expect(startEmbedded(root, { shared_buffers: 'much' })).rejects.toThrow(
      /did not start: the end of .*postgres.log/,
    );
    expect(await readFile(join(root, 'postgres.log'), 'utf8')).toContain('shared_buffers');
  });
});
