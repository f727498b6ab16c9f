import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { createEmptyDatabase } from '../../support/database.ts';
import { runToEnd, serverEnv } from '../../support/process.ts';
import { fundedWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp();
const paytag = (...args: string[]) => runToEnd(['src/cli/paytag.ts', ...args], serverEnv(server.resources.databaseUrl));

it('ledger check prints each invariant; one that is broken with its rows, and then exits with 1', async () => {
  const { wallet } = await fundedWallet(server, 100);
  const fine = await paytag('ledger', 'check');
  expect(fine).toMatchObject({ code: 0, stderr: '' });
  expect(fine.stdout).toMatch(/^transactions_balance +ok$/m);
  expect(fine.stdout).not.toContain('BROKEN');
  const recent = await paytag('ledger', 'check', '--since', '2026-01-01T00:00:00Z');
  expect(recent).toMatchObject({ code: 0, stderr: '' });
  expect(recent.stdout).toMatch(/^transactions_balance +ok$/m);
  expect(recent.stdout).not.toContain('deferred_balances_are_their_entries');

  await server.owner.query('update ledger.account set posted = posted + 1 where reference = $1', [wallet]);
  const broken = await paytag('ledger', 'check');
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(/^balances_are_their_entries +BROKEN by 1$/m);
  expect(broken.stdout).toMatch(/^balances_are_their_entries \{"id":"\d+","posted":"10001"/m);
  expect(broken.stdout).toMatch(/^floors_hold +ok$/m);
});

it('what has no books is not said to be in order: a command makes no new sandbox and fills no empty database', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'paytag-test-none-'));
  expect(await runToEnd(['src/cli/paytag.ts', 'ledger', 'check'], { DATA_DIR: dataDir })).toEqual({
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
    stderr: `the database ${host}${pathname} is empty: start the server first or run "paytag migrate", or give the DATABASE_URL of the one you mean\n`,
  };
  for (let turn = 1; turn <= 2; turn++) {
    expect(await runToEnd(['src/cli/paytag.ts', 'ledger', 'check'], serverEnv(empty))).toEqual(refused);
  }
});

it('wallets set changes a wallet by the operation of the operator API, audited as the command line’s', async () => {
  const { wallet } = await fundedWallet(server, 100);
  const set = await paytag('wallets', 'set', wallet, '--status', 'PND', '--daily-limit', '10.5', '--reason', 'asked');
  expect(set).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(set.stdout)).toMatchObject({ reference: wallet, status: 'PND', dailyLimit: 10.5 });
  const back = await paytag('wallets', 'set', wallet, '--daily-limit', 'tier', '--tier', '2', '--reason', 'asked');
  expect(JSON.parse(back.stdout)).toMatchObject({ status: 'PND', dailyLimit: 200_000, dailyLimitFrom: 'tier' });
  expect(JSON.parse((await paytag('wallets', 'show', wallet)).stdout)).toEqual(JSON.parse(back.stdout));
  const { rows } = await server.owner.query('select actor from audit.entry where target = $1', [wallet]);
  expect(rows).toEqual([{ actor: 'cli' }, { actor: 'cli' }]);
});

it('wallets revoke ends an empty wallet for good, and no other', async () => {
  const { partner, wallet } = await fundedWallet(server, 100);
  const full = await paytag('wallets', 'revoke', wallet, '--reason', 'asked');
  expect(full).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^WALLET_NOT_EMPTY: /) });
  await moveMoney(server, partner, wallet, 'debit', { amount: 100, reference: 'all' });
  const empty = await paytag('wallets', 'revoke', wallet, '--reason', 'asked');
  expect(empty).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(empty.stdout)).toMatchObject({ reference: wallet, revokedAt: expect.any(String) });
  const { rows } = await server.owner.query('select actor, action from audit.entry where target = $1', [wallet]);
  expect(rows).toEqual([{ actor: 'cli', action: 'wallet.revoke' }]);
});

it('an unknown wallet or an invalid argument is a line on standard error and exit code 1', async () => {
  const unknown = await paytag('wallets', 'set', 'PW-nobody', '--status', 'PND', '--reason', 'asked');
  expect(unknown).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^WALLET_NOT_FOUND: /) });
  const invalid = await paytag('wallets', 'set', 'PW-x', '--tier', '9', '--reason', 'asked');
  expect(invalid).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('must be 1, 2 or 3') });
});
