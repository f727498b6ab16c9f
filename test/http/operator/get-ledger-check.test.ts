import { describe, expect, it } from 'vitest';
import { openSnapshots } from '#lib/snapshots.ts';
import { useApp } from '../../support/app.ts';
import { commandLineOf } from '../../support/command-line.ts';
import { newOperator } from '../../support/operators.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';
import { fundedWallet } from '../../support/wallets.ts';
import { signedIn, textOf } from '../console/console.ts';

const server = useApp();
const check = (query = '') => server.operate('GET', `/ledger/check${query}`);
const HOUR_MS = 60 * 60 * 1000;

const suspend = (amount: number) =>
  server.owner.query(`update ledger.account set suspended = $1 where kind = 'WALLET' and posted >= $1`, [amount]);

describe('200', () => {
  it('last=true: before a whole check has ended nothing is said to be in order, and then when it ended', async () => {
    expect((await check('?last=true')).json()).toEqual({ ok: false, checks: [] });
    const sign = () => server.operate('GET', '/overview').then((answer) => answer.json().signs);
    expect(await sign()).toContainEqual(expect.objectContaining({ name: 'BOOKS_CHECKED', state: 'UNKNOWN' }));

    await check(`?since=${server.clock.now().toISOString()}`);
    const recent = (await check('?last=true')).json();
    expect(recent).toMatchObject({ ok: false, checks: expect.arrayContaining([expect.anything()]) });
    expect(recent).not.toHaveProperty('checkedAt');

    expect((await check()).json()).not.toHaveProperty('checkedAt');
    expect((await check('?last=true')).json()).toMatchObject({
      ok: true,
      checkedAt: expect.stringMatching(/^\d{4}-.+Z$/),
    });
  });

  it('every invariant by name, and the rows that offend against one that is broken', async () => {
    await fundedWallet(server, 100);
    const before = await check();
    expect(before.statusCode).toBe(200);
    expect(before.json().ok).toBe(true);
    expect(before.json().checks.length).toBeGreaterThanOrEqual(40);
    for (const one of before.json().checks) {
      expect(one).toEqual({ name: expect.any(String), promise: expect.any(String), violations: 0 });
    }

    await suspend(50);
    const after = (await check()).json();
    expect(after.ok).toBe(false);
    const broken = after.checks.filter(({ violations }: { violations: number }) => violations > 0);
    expect(broken).toEqual([
      {
        name: 'suspended_is_what_is_held',
        promise: expect.any(String),
        violations: 1,
        offenders: [{ id: expect.any(String), suspended: '50', held: null }],
      },
    ]);
    await suspend(0);
  });

  it('what is broken is in the log at level error, with its rows', async () => {
    await suspend(50);
    await check();
    await suspend(0);
    const lines = server.logged.split('\n').filter((line) => line.includes('an invariant is broken'));
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      level: 50,
      invariant: 'suspended_is_what_is_held',
      rows: [expect.objectContaining({ suspended: '50' })],
    });
  });

  it('since a moment: what is new since then, by fewer invariants', async () => {
    const since = new Date(server.clock.now().getTime() - HOUR_MS).toISOString();
    const { ok, checks } = (await check(`?since=${since}`)).json();
    expect(ok).toBe(true);
    expect(checks.length).toBeLessThan((await check()).json().checks.length);
  });

  it('eight at once share one check, and all are answered', async () => {
    const runs = async () =>
      Number((await server.owner.query('select count(*) as runs from integrity.run')).rows[0].runs);
    const before = await runs();
    const answers = await Promise.all(Array.from({ length: 8 }, () => check()));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array<number>(8).fill(200));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(await runs()).toBe(before + 1);
    expect((await server.call('GET', '/health/ready')).statusCode).toBe(200);
  });

  it('takes no connection of those that answer requests', async () => {
    const { owner: pool } = server;
    const held = await Promise.all(Array.from({ length: (pool.options.max ?? 10) - 1 }, () => pool.connect()));
    try {
      expect((await check()).json().ok).toBe(true);
    } finally {
      for (const client of held) client.release();
    }
  });
});

describe('for people', () => {
  const paytag = (args: string[]) => commandLineOf(server, OPERATOR_TOKEN)(args);
  const unchecked = 'Not everything has been checked yet';

  it('console and command line tell in words that no whole check has ended, and no longer once one has', async () => {
    const browser = await signedIn(server, (await newOperator(server, 'viewer')).token);
    const page = async () => textOf(await browser.get('/console/ledger/check?last=true'));
    await server.owner.query('delete from integrity.run');
    expect(await page()).toContain(unchecked);
    expect(await paytag(['ledger', 'check', '--last'])).toMatchObject({
      code: 1,
      out: expect.stringContaining(unchecked),
    });
    await check();
    expect(await page()).not.toContain(unchecked);
    const last = await paytag(['ledger', 'check', '--last']);
    expect(last).toMatchObject({ code: 0, out: expect.stringContaining('Everything was last checked at 2') });
  });
});

describe('409', () => {
  it('while another process checks, with the time to wait; and not once it has ended', async () => {
    const other = await openSnapshots(server.resources.databaseUrl);
    expect(await other.lock('integrity.check')).toBe(true);
    const answer = await check();
    await other.close();
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ errorCode: 'CHECK_RUNNING' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await check()).statusCode).toBe(200);
  });
});
