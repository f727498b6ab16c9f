import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { createEmptyDatabase } from '../../support/database.ts';
import { runToEnd, serverEnv } from '../../support/process.ts';
import { fundedWallet } from '../../support/wallets.ts';

const server = useApp();
const paytag = (...args: string[]) => runToEnd(['src/cli/paytag.js', ...args], serverEnv(server.resources.databaseUrl));

it('ledger check --database prints each invariant; one that is broken with its rows, and then exits with 1', async () => {
  const { wallet } = await fundedWallet(server, 100);
  const fine = await paytag('ledger', 'check', '--database');
  expect(fine).toMatchObject({ code: 0, stderr: '' });
  expect(fine.stdout).toMatch(/^transactions_balance +ok$/m);
  expect(fine.stdout).not.toContain('BROKEN');
  const recent = await paytag('ledger', 'check', '--database', '--since', '2026-01-01T00:00:00Z');
  expect(recent).toMatchObject({ code: 0, stderr: '' });
  expect(recent.stdout).toMatch(/^transactions_balance +ok$/m);
  expect(recent.stdout).not.toContain('deferred_balances_are_their_entries');

  await server.owner.query('update ledger.account set posted = posted + 1 where reference = $1', [wallet]);
  const broken = await paytag('ledger', 'check', '--database');
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(/^balances_are_their_entries +BROKEN by 1$/m);
  expect(broken.stdout).toMatch(/^balances_are_their_entries \{"id":"\d+","posted":"10001"/m);
  expect(broken.stdout).toMatch(/^floors_hold +ok$/m);
});

it('what has no books is not said to be in order: a command makes no new sandbox and fills no empty database', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'paytag-test-none-'));
  expect(await runToEnd(['src/cli/paytag.js', 'ledger', 'check', '--database'], { DATA_DIR: dataDir })).toEqual({
    code: 1,
    stdout: '',
    stderr: `there is no database in ${dataDir}: run "npm start" first, or give the DATA_DIR or DATABASE_URL of the server you mean\n`,
  });
  expect(await readdir(dataDir)).toEqual([]);
  await rm(dataDir, { recursive: true });

  const empty = await createEmptyDatabase();
  const { host, pathname } = new URL(empty);
  const refused = {
    code: 1,
    stdout: '',
    stderr: `the database ${host}${pathname} is empty: start the server first or run "paytag migrate", or correct DATABASE_URL\n`,
  };
  for (let turn = 1; turn <= 2; turn++) {
    expect(await runToEnd(['src/cli/paytag.js', 'ledger', 'check', '--database'], serverEnv(empty))).toEqual(refused);
  }
});
