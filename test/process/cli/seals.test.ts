import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { runToEnd, serverEnv } from '../../support/process.ts';

const server = useApp();
const paytag = (...args: string[]) => runToEnd(['src/cli/paytag.js', ...args], serverEnv(server.resources.databaseUrl));
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paytag-seals-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(text: string): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.jsonl`);
  await writeFile(file, text);
  return file;
}

it('ledger seal prints what it seals, ledger seals prints all, and ledger seal verify holds the books against either', async () => {
  const { owner: pool } = server;
  await server.newPartner();
  expect(await paytag('ledger', 'seal')).toMatchObject({ code: 0, stderr: '' });
  const everything = [
    `update installation.stamp set created_at = created_at - interval '3 hours'`,
    `update audit.entry set at = at - interval '3 hours'`,
  ];
  await pool.query(
    `begin; set local session_replication_role = replica; delete from seals.seal; ${everything.join(';')}; commit`,
  );
  const sealed = await paytag('ledger', 'seal');
  expect(sealed).toMatchObject({ code: 0, stderr: '' });
  const exported = await paytag('ledger', 'seals');
  expect(exported.stdout).toBe(sealed.stdout);
  expect(exported.stdout.trim().split('\n').length).toBeGreaterThan(2);

  // Each third as it may have been kept: as it was printed, in the log among other lines, and the seals alone.
  const kept = exported.stdout.trim().split('\n');
  const ways = [
    (line: string) => line,
    (line: string) => `{"level":30,"msg":"listening"}\n${line.replace('{', '{"level":30,"msg":"sealed the books",')}`,
    (line: string) => line.replace(/^.*"seal":"([^"]+)".*$/, '$1'),
  ];
  const copy = kept.map((line, at) => ways[at % ways.length]?.(line)).join('\n');
  const fine = await paytag('ledger', 'seal', 'verify', await fileOf(`${copy}\n`));
  expect(fine).toMatchObject({ code: 0, stderr: '' });
  const all = `${kept.length} seals in the database, ${kept.length} in the copy`;
  expect(fine.stdout).toMatch(new RegExp(`^The books are as they were sealed: ${all}`));

  await pool.query(
    `begin; set local session_replication_role = replica; update audit.entry set actor = 'nobody'; commit`,
  );
  const broken = await paytag('ledger', 'seal', 'verify', await fileOf(exported.stdout));
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(
    /^seal \d+ \(\S+:00:00\.000Z to \S+:00:00\.000Z\): audit changed: still 1 rows, with other contents$/m,
  );
  expect(broken.stdout).toMatch(/^The books are NOT as they were sealed/m);
});

it('a file without seals is refused, in one line that says what to keep', async () => {
  const none = await paytag('ledger', 'seal', 'verify', await fileOf('{"level":30,"msg":"listening"}\n'));
  expect(none).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/holds no seals: keep what/) });
});
