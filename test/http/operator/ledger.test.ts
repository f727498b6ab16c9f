import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { openSnapshots } from '#lib/postgres/long-work.ts';
import { findFloat, systemAccount } from '#modules/ledger';
import { sealDue } from '#modules/proof';
import { addUpDays } from '../../../src/modules/ledger/index.ts';
import { useApp } from '../../support/app.ts';
import { brokenInvariants, leavesNothingBut } from '../../support/books.ts';
import { commandLineOf } from '../../support/command-line.ts';
import { usePast } from '../../support/ledger.ts';
import { auditOf, byRoot, newOperator } from '../../support/operators.ts';
import { postingBetween } from '../../support/post.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';
import { refusalOf } from '../../support/refusals.ts';
import { scrape } from '../../support/served.ts';
import { newTerminal } from '../../support/terminals.ts';
import {
  earn,
  fundedWallet,
  kycWallet,
  moveMoney,
  newReference,
  newWallet,
  paymentsOf,
} from '../../support/wallets.ts';
import { signedIn, textOf } from '../console/console.ts';

const server = useApp({ FEE_PARTNER_GATEWAY: '1%' });

describe('GET /ledger/check', () => {
  const check = (query = '') => server.operate('GET', `/ledger/check${query}`);
  const HOUR_MS = 60 * 60 * 1000;

  const suspend = (amount: number) =>
    server.owner.query(`update ledger.account set suspended = $1 where kind = 'WALLET' and posted >= $1`, [amount]);

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

  it('409: while another process checks, with the time to wait; and not once it has ended', async () => {
    const other = await openSnapshots(server.resources.databaseUrl);
    expect(await other.lock('integrity.check')).toBe(true);
    const answer = await check();
    await other.close();
    expect(refusalOf(answer)).toEqual([409, 'CHECK_RUNNING']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await check()).statusCode).toBe(200);
  });
});

describe('GET /ledger/trial-balance/{date}', () => {
  const { gateway, inbound } = paymentsOf(server);
  const postAt = usePast(server);
  const DAY_MS = 24 * 60 * 60 * 1000;

  interface Sums {
    currency: string;
    opening: number;
    debits: number;
    credits: number;
    closing: number;
  }
  interface Balance {
    date: string;
    closed: boolean;
    items: (Sums & { account: string })[];
    totals: Sums[];
  }
  const dayOf = (at: Date) => at.toLocaleDateString('sv-SE', { timeZone: 'Africa/Lagos' });
  const daysAgo = (days: number) => dayOf(new Date(Date.now() - days * DAY_MS));
  const of = async (day: string): Promise<Balance> =>
    (await server.operate('GET', `/ledger/trial-balance/${day}`)).json<Balance>();
  const line = ({ items }: Balance, account: string) =>
    items.find((one) => one.account === account && one.currency === 'NGN');
  const addUp = () => addUpDays(server.resources, { graceS: 0, everyS: 0 });

  const zeroSum = ({ totals, items }: Balance) => {
    expect(totals.map(({ currency }) => currency)).toEqual(['NGN', 'FP']);
    for (const { opening, debits, credits, closing } of totals) {
      expect([opening, closing, Number((debits - credits).toFixed(2))]).toEqual([0, 0, 0]);
    }
    for (const { opening, debits, credits, closing } of items) {
      expect(closing).toBeCloseTo(opening + credits - debits, 2);
    }
  };

  it('a day that is over is closed, and opens with what the one before left, to the kobo', async () => {
    const partner = await server.newPartner();
    const float = await findFloat(server.resources.db, server.resources.keyring, partner.id, 'NGN');
    const move = (amount: bigint, days: number, time: string) =>
      postAt(
        postingBetween(systemAccount('CLEARING', 'NGN'), float?.id ?? 0, amount, {
          owner: partner.id,
          reference: `past-${days}-${time}`,
        }),
        new Date(`${daysAgo(days)}T${time}+01:00`),
      );
    await move(10_001n, 3, '00:00:00.000');
    await move(2_000n, 3, '23:59:59.999');
    await move(-501n, 2, '00:00:00.000');
    const expected = async () => {
      expect(line(await of(daysAgo(4)), 'FLOAT')).toMatchObject({ opening: 0, debits: 0, credits: 0, closing: 0 });
      const [third, second] = [await of(daysAgo(3)), await of(daysAgo(2))];
      expect([third.closed, third.date]).toEqual([true, daysAgo(3)]);
      expect(line(third, 'FLOAT')).toMatchObject({ opening: 0, debits: 0, credits: 120.01, closing: 120.01 });
      expect(line(third, 'CLEARING')).toMatchObject({ opening: 0, debits: 120.01, credits: 0, closing: -120.01 });
      expect(line(second, 'FLOAT')).toMatchObject({ opening: 120.01, debits: 5.01, credits: 0, closing: 115 });
      for (const balance of [third, second]) zeroSum(balance);
    };
    await expected();
    await addUp();
    await expected();
  });

  it('today is not closed, and is what our accounts say, whatever of it is added up', async () => {
    const partner = await server.newPartner({ float: 500 });
    const wallet = await kycWallet(server, partner);
    const spend = async () => {
      await gateway(partner, { amount: 100 });
      await inbound((await newWallet(server, partner)).nuban, { amount: 3.5 });
      await moveMoney(server, partner, wallet, 'credit', { amount: 7.25, reference: crypto.randomUUID() });
    };
    await spend();
    await addUp();
    await spend();
    const balance = await of(daysAgo(0));
    expect(balance.closed).toBe(false);
    zeroSum(balance);
    const { items } = (await server.operate('GET', '/accounts')).json<{
      items: { account: string; balance: number }[];
    }>();
    for (const { account, currency, balance: stands } of items as ((typeof items)[number] & { currency: string })[]) {
      const shown = balance.items.find((one) => one.account === account && one.currency === currency);
      expect([account, currency, shown?.closing]).toEqual([account, currency, stands]);
    }
    expect(line(balance, 'FEE')?.credits).toBe(2);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('is zero-sum at every moment, while money moves and is added up', async () => {
    const partner = await server.newPartner({ float: 500 });
    const wallet = await kycWallet(server, partner);
    const state = { isMoving: true };
    const moving = (async () => {
      for (let n = 0; n < 40; n++) {
        await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: crypto.randomUUID() });
        if (n % 5 === 0) await Promise.all([addUp(), addUp()]);
      }
      state.isMoving = false;
    })();
    const seen: number[] = [];
    while (state.isMoving) {
      const balance = await of(daysAgo(0));
      zeroSum(balance);
      seen.push(line(balance, 'WALLET')?.closing ?? 0);
    }
    await moving;
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(new Set(seen).size).toBeGreaterThan(1);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('is a file of a line for each account', async () => {
    const answer = await server.operate('GET', `/ledger/trial-balance/${daysAgo(3)}?format=csv`);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    const [head, ...lines] = answer.body.trimEnd().split('\r\n');
    expect(head).toBe('\ufeffaccount,currency,opening,debits,credits,closing');
    expect(lines).toContain('FLOAT,NGN,0,0,120.01,120.01');
  });
});

describe('GET /accounts', () => {
  const alone = useApp({ FEE_PARTNER_GATEWAY: '1%' });
  const { gateway, atTerminal, inbound } = paymentsOf(alone);

  it('shows each rail’s clearing by itself, and the charges, before they are added up too', async () => {
    const partner = await alone.newPartner();
    await gateway(partner, { amount: 100 });
    await atTerminal(await newTerminal(alone, partner), { amount: 20 });
    await inbound((await newWallet(alone, partner)).nuban, { amount: 3 });
    const { items } = (await alone.operate('GET', '/accounts')).json();
    expect(items).toEqual(
      expect.arrayContaining([
        { account: 'CLEARING_GATEWAY', currency: 'NGN', balance: -100 },
        { account: 'CLEARING_TERMINAL', currency: 'NGN', balance: -20 },
        { account: 'CLEARING_INBOUND', currency: 'NGN', balance: -3 },
        { account: 'FEE', currency: 'NGN', balance: 1 },
        { account: 'SUSPENSE', currency: 'FP', balance: 0 },
      ]),
    );
    expect(items).toHaveLength(22);
  });
});

describe('GET /remittances', () => {
  it('lists what was remitted of which account, newest first, and nothing that was refused; as a file too', async () => {
    await earn(server, 1_000n);
    await paymentsOf(server).gateway(await server.newPartner(), { amount: 100 });
    const remit = (body: object) => server.operate('POST', '/remittances', { reason: 'March', ...body });
    await remit({ account: 'FEE', amount: 7.5, reference: 'fees' });
    await remit({ account: 'STAMP_DUTY', amount: 9, reference: 'too-much' });
    await remit({ account: 'CLEARING_GATEWAY', amount: 60, reference: 'gateway' });
    const { items, count } = (await server.operate('GET', '/remittances')).json();
    const common = { currency: 'NGN', reason: 'March', createdAt: expect.any(String) };
    expect([count, items]).toEqual([
      2,
      [
        { ...common, account: 'CLEARING_GATEWAY', amount: 60, reference: 'gateway' },
        { ...common, account: 'FEE', amount: 7.5, reference: 'fees' },
      ],
    ]);
    const [page] = [(await server.operate('GET', '/remittances?limit=1')).json()];
    const next = (await server.operate('GET', `/remittances?limit=1&cursor=${page.nextCursor}`)).json();
    expect(next.items.map(({ reference }: { reference: string }) => reference)).toEqual(['fees']);
    const file = (await server.operate('GET', '/remittances?format=csv')).body.split('\r\n');
    expect(file.slice(0, 2)).toEqual([
      '\ufeffaccount,amount,currency,reference,reason,createdAt',
      expect.stringMatching(/^CLEARING_GATEWAY,60,NGN,gateway,March,/),
    ]);
  });
});

describe('POST /remittances', () => {
  const alone = useApp();
  const remit = (body: object) =>
    alone.operate('POST', '/remittances', { account: 'FEE', reference: newReference(), reason: 'March', ...body });
  const balanceOf = async (account: string): Promise<number> => {
    const { items } = (await alone.operate('GET', '/accounts')).json();
    return items.find((one: { account: string; currency: string }) => one.account === account && one.currency === 'NGN')
      .balance;
  };

  it('takes it from the account to the bank’s clearing, once', async () => {
    await earn(alone, 1_000n);
    const [fees, clearing] = [await balanceOf('FEE'), await balanceOf('CLEARING')];
    const body = { amount: 7.5, reference: 'march' };
    const answer = await remit(body);
    expect(answer.json()).toEqual({ account: 'FEE', amount: 7.5, currency: 'NGN', reference: 'march' });
    expect((await remit(body)).json()).toEqual(answer.json());
    expect([await balanceOf('FEE'), await balanceOf('CLEARING')]).toEqual([fees - 7.5, clearing + 7.5]);
    expect(await brokenInvariants(alone)).toEqual([]);
  });

  it('never more than is there, also when many ask at once', async () => {
    await earn(alone, 1_000n);
    const there = await balanceOf('FEE');
    const answers = await Promise.all(Array.from({ length: 8 }, () => remit({ amount: there / 2 })));
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(refused).toHaveLength(6);
    for (const answer of refused) expect(refusalOf(answer)).toEqual([422, 'INSUFFICIENT_FUNDS']);
    expect(await balanceOf('FEE')).toBe(0);
  });

  describe('200: what a rail has paid to our bank', () => {
    const { gateway } = paymentsOf(alone);

    it('goes from the bank’s clearing to the rail’s, once, and is audited', async () => {
      await gateway(await alone.newPartner(), { amount: 100 });
      const [rail, bank] = [await balanceOf('CLEARING_GATEWAY'), await balanceOf('CLEARING')];
      const body = { account: 'CLEARING_GATEWAY', amount: 60, reference: 'payout-1' };
      const answer = await remit(body);
      expect([answer.statusCode, answer.json()]).toEqual([200, { ...body, currency: 'NGN' }]);
      expect((await remit(body)).json()).toEqual(answer.json());
      expect([await balanceOf('CLEARING_GATEWAY'), await balanceOf('CLEARING')]).toEqual([rail + 60, bank - 60]);
      expect(await auditOf(alone, 'CLEARING_GATEWAY')).toEqual([
        byRoot('account.remit', {
          before: { currency: 'NGN', balance: String(rail * 100) },
          after: { currency: 'NGN', balance: String(rail * 100 + 6_000), reference: 'payout-1' },
          reason: 'March',
        }),
      ]);
      expect(await brokenInvariants(alone)).toEqual([]);
    });

    it('so also of what a provider has collected', async () => {
      const { partner, wallet } = await fundedWallet(alone, 10);
      const { headers } = partner;
      const { AccountNumber: nuban } = (
        await alone.call('POST', `/v2/partner/wallet/${wallet}/account`, { headers })
      ).json();
      const payload = { nuban, amount: 100, reference: newReference(), sender: { name: 'R' } };
      expect((await alone.call('POST', '/v2/sandbox/payment/inbound', { headers, payload })).statusCode).toBe(200);
      expect((await remit({ account: 'CLEARING_COLLECTION', amount: 60 })).statusCode).toBe(200);
      expect(await balanceOf('CLEARING_COLLECTION')).toBe(-40);
      expect(await brokenInvariants(alone)).toEqual([]);
    });

    it('never more than it owes us, also when many ask at once; another rail owes nothing', async () => {
      await gateway(await alone.newPartner(), { amount: 100 });
      const owed = -(await balanceOf('CLEARING_GATEWAY'));
      const payout = { account: 'CLEARING_GATEWAY', amount: owed / 2 };
      const answers = await Promise.all(Array.from({ length: 8 }, () => remit(payout)));
      const refused = answers.filter(({ statusCode }) => statusCode !== 200);
      expect(refused).toHaveLength(6);
      refused.push(await remit({ account: 'CLEARING_TERMINAL', amount: 0.01 }));
      for (const answer of refused) expect(refusalOf(answer)).toEqual([422, 'INSUFFICIENT_FUNDS']);
      expect([await balanceOf('CLEARING_GATEWAY'), await balanceOf('CLEARING_TERMINAL')]).toEqual([0, 0]);
      expect(await brokenInvariants(alone)).toEqual([]);
    });
  });

  describe('200: what our bank has paid to the provider of payouts', () => {
    it('goes from the provider’s clearing to the bank’s, also in advance', async () => {
      const [provider, bank] = [await balanceOf('CLEARING_PAYOUT'), await balanceOf('CLEARING')];
      expect((await remit({ account: 'CLEARING_PAYOUT', amount: 500 })).statusCode).toBe(200);
      expect([await balanceOf('CLEARING_PAYOUT'), await balanceOf('CLEARING')]).toEqual([provider - 500, bank + 500]);
      expect(await brokenInvariants(alone)).toEqual([]);
    });
  });

  it('422: more than is there leaves nothing but the declined reference', async () => {
    const answer = await leavesNothingBut(alone, 1, () => remit({ account: 'STAMP_DUTY', amount: 0.01 }));
    expect(refusalOf(answer)).toEqual([422, 'INSUFFICIENT_FUNDS']);
  });
});

describe('GET /seals', () => {
  const alone = useApp();
  const list = (query = '') => alone.operate('GET', `/seals${query}`);

  it('every seal, newest first, with its place in the chain and what it covers; and metrics say how far, before the first from when this was installed on', async () => {
    expect((await list()).json()).toMatchObject({ items: [], count: 0 });
    expect(await scrape(alone)).toMatch(/^paytag_ledger_last_seal NaN$/im);
    await alone.owner.query(`insert into installation.stamp (environment, master_key_fingerprint, created_at)
      values ('sandbox', 'x', now() - interval '30 hours')`);
    const { rows: stamps } = await alone.owner.query<{ at: string }>(
      'select trunc(extract(epoch from created_at), 3)::float8 as at from installation.stamp',
    );
    const unsealed = await scrape(alone);
    expect(unsealed).toContain(`paytag_ledger_sealed_until_timestamp_seconds ${stamps[0]?.at}\n`);
    const checked = 'paytag_integrity_last_success_timestamp_seconds{kind="whole"}';
    expect(unsealed).toContain(`${checked} ${stamps[0]?.at}\n`);

    const made = await sealDue(alone.resources);
    expect(made.length).toBeGreaterThan(28);

    const answer = await list('?limit=100');
    expect(answer.statusCode).toBe(200);
    const { items, count } = answer.json();
    expect(count).toBe(made.length);
    expect(items.map(({ seal }: { seal: string }) => seal)).toEqual(made.map(({ seal }) => seal).toReversed());
    expect(items.at(-1)).toEqual({
      number: 1,
      period: 'HOUR',
      endsAt: expect.stringMatching(/:00:00\.000Z$/),
      seal: expect.any(String),
    });
    const [{ number, startsAt, endsAt, seal }] = items;
    expect(decodeJwt(seal)).toMatchObject({ number, startsAt, endsAt });
    const metrics = await scrape(alone);
    expect(metrics).toContain(`paytag_ledger_last_seal ${made.length}\n`);
    expect(metrics).toContain(`paytag_ledger_sealed_until_timestamp_seconds ${Date.parse(endsAt) / 1000}\n`);
  });

  it('those of days alone, where they are asked for', async () => {
    const { items, count } = (await list('?period=DAY')).json();
    expect(count).toBeGreaterThan(0);
    for (const { period } of items) expect(period).toBe('DAY');
  });
});
