import { beforeAll, describe, expect, it } from 'vitest';
import { sealDue } from '#modules/proof';
import { signNames } from '../../../src/routes/operator/overview.ts';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { importOf } from '../../support/bank-files.ts';
import { endAll, partnerWithEvents } from '../../support/deliveries.ts';
import { inDays, newDispute } from '../../support/disputes.ts';
import { unknownPayment } from '../../support/inbound.ts';
import { askedFunding, newOperator } from '../../support/operators.ts';
import { unknownPayout } from '../../support/payouts.ts';
import { PAYSTACK_KEY } from '../../support/paystack-hooks.ts';
import { useStandIn } from '../../support/provider.ts';
import { loggedIn, moveMoney, waitingPayment } from '../../support/wallets.ts';

const INBOUND = { INBOUND_PROVIDER: 'paystack', INBOUND_PAYSTACK_SECRET_KEY: PAYSTACK_KEY };
const standIn = useStandIn();

describe('GET /overview', () => {
  const server = useApp(() => ({ APPROVAL_ABOVE: '1000', ...INBOUND, INBOUND_PAYSTACK_URL: standIn.origin }));

  interface Told {
    at: string;
    state: string;
    signs: { name: string; state: string; count?: number; amount?: number; since?: string; where?: string }[];
    floats: object[];
    providers: { purpose: string; state: string; since?: string }[];
    moneyDate: string;
    moneyByType: { type: string; currency: string; amount: number; transactions: number }[];
    moneyByHour: { startsAt: string; currency: string; amount: number; transactions: number }[];
  }
  const told = async (): Promise<Told> => (await server.operate('GET', '/overview')).json();
  const sign = async (name: string) => (await told()).signs.find((one) => one.name === name);

  it('is calm where nothing has happened, and says what cannot be told yet', async () => {
    const { state, signs, floats, providers } = await told();
    expect(state).toBe('GOOD');
    const unknown = signs.filter((one) => one.state !== 'GOOD');
    expect(unknown.map(({ name, state: of }) => [name, of])).toEqual([
      ['BOOKS_SEALED', 'UNKNOWN'],
      ['BOOKS_CHECKED', 'UNKNOWN'],
      ['PROVIDERS_DOWN', 'UNKNOWN'],
    ]);
    expect(floats).toEqual([]);
    expect(providers).toEqual([
      { purpose: 'INBOUND', provider: 'paystack', state: 'UNKNOWN' },
      { purpose: 'RAILS', provider: 'paystack', state: 'UNKNOWN' },
    ]);
  });

  it('books that nobody has sealed or checked are wrong when it would have been time', async () => {
    const stamp = `insert into installation.stamp (environment, master_key_fingerprint, created_at)
      values ('sandbox', 'x', $1) on conflict (id) do update set created_at = excluded.created_at`;
    const since = async (hours: number) => {
      const at = new Date(server.clock.now().getTime() - hours * 60 * 60 * 1000);
      await server.owner.query(stamp, [at]);
      return at.toISOString();
    };
    await since(1);
    expect([await sign('BOOKS_SEALED'), await sign('BOOKS_CHECKED')]).toMatchObject([
      { state: 'UNKNOWN' },
      { state: 'UNKNOWN' },
    ]);
    const hours = await since(3);
    expect(await sign('BOOKS_SEALED')).toMatchObject({ state: 'WRONG', since: hours });
    expect(await sign('BOOKS_CHECKED')).toMatchObject({ state: 'UNKNOWN' });
    const aDay = await since(27);
    expect(await sign('BOOKS_CHECKED')).toMatchObject({ state: 'WRONG', since: aDay });
    await server.owner.query('delete from installation.stamp');
  });

  describe('what waits for somebody or is wrong is counted, since when it is,', () => {
    beforeAll(async () => {
      const { partner } = await partnerWithEvents(server);
      await waitingPayment(server, await server.newPartner(), 70.5);
      await waitingPayment(server, partner, 0.5);
      await unknownPayout(server);
      await askedFunding(server, await newOperator(server, 'finance'));
      await newDispute(server, { respondBy: inDays(server, 0.5) });
      await newDispute(server);
      await server.operate('POST', `/receivers/${partner.id}/pause`, { reason: 'they asked' });
      await server.owner.query(`update webhooks.delivery set due_at = now() - interval '10 minutes'
        where id = (select id from webhooks.delivery where due_at is not null and status = 'PENDING' limit 1)`);
      await server.owner.query(`update applications.application set status = 'PENDING' where not built_in`);
      await server.operate('GET', '/ledger/check');
    });

    it.each([
      ['IN_SUSPENSE', { state: 'WRONG', count: 2, amount: 71, since: expect.any(String) }],
      ['PAYOUTS_UNKNOWN', { state: 'WRONG', count: 1, since: expect.any(String) }],
      ['APPROVALS_WAITING', { state: 'WAITS', count: 1, since: expect.any(String) }],
      ['DISPUTES_OPEN', { state: 'WAITS', count: 2 }],
      ['DISPUTES_DUE', { state: 'WRONG', count: 1 }],
      ['RECEIVERS_PAUSED', { state: 'WAITS', count: 1 }],
      ['PAYOUTS_CONTRADICTED', { state: 'GOOD', count: 0 }],
    ])('%s', async (name, expected) => {
      expect(await sign(name)).toMatchObject(expected);
    });

    it('and never since a moment that is to come: a dispute waits since it was opened, not since it is due', async () => {
      const { at, signs } = await told();
      expect(signs.find(({ name }) => name === 'DISPUTES_OPEN')?.since).toBeDefined();
      expect(signs.filter(({ since = '' }) => since > at)).toEqual([]);
    });
  });

  it('logins that are slowed, and one that guesses on is counted once', async () => {
    const partner = await server.newPartner();
    const { paytag } = await loggedIn(server, partner);
    for (let guess = 0; guess < 6; guess += 1) {
      const payload = { paytag, password: 'guessed-1', codeChallenge: 'x'.repeat(43) };
      await server.call('POST', '/v2/sso/auth-code', { headers: partner.headers, payload });
    }
    const throttled = await sign('LOGINS_THROTTLED');
    expect(throttled).toMatchObject({ state: 'WAITS', count: 1 });
    expect((await server.operate('GET', String(throttled?.where))).json()).toMatchObject({ count: 1 });
  });

  it('a float that holds less than leaves it on an average day is low', async () => {
    const partner = await server.newPartner({ float: 100 });
    await server.owner.query(
      `insert into books.partner_day_total (partner_id, day, kind, currency, type, debits, credits, movements)
       select $1, current_date - n, 'FLOAT', 'NGN', 'TRANSFER', 50000, 0, 1 from generate_series(2, 4) n`,
      [partner.id],
    );
    expect(await sign('FLOATS_LOW')).toMatchObject({ state: 'WRONG', count: 1 });
    expect((await told()).floats).toEqual([{ partnerId: partner.id, balance: 100, averageDay: 214.29 }]);
    await server.operate('POST', `/partners/${partner.id}/float`, { amount: 114.29, reference: 'enough' });
    expect(await sign('FLOATS_LOW')).toMatchObject({ state: 'GOOD', count: 0 });
  });

  it('a provider is down from the first answer that does not come until the next that does', async () => {
    const rails = async () => (await told()).providers.find(({ purpose }) => purpose === 'RAILS');
    standIn.receiver.answer(() => ({ status: 503, body: '{}' }));
    await server.operate('GET', '/rails');
    expect(await sign('PROVIDERS_DOWN')).toMatchObject({ state: 'WRONG', count: 1, since: expect.any(String) });
    expect(await rails()).toMatchObject({ state: 'DOWN', since: expect.any(String) });
    standIn.receiver.answer(() => ({ status: 200, body: '{}' }));
    await server.operate('GET', '/rails');
    expect([await sign('PROVIDERS_DOWN'), await rails()]).toMatchObject([{ state: 'GOOD', count: 0 }, { state: 'UP' }]);
  });

  it('the money of the day by type and by hour is what the trial balance says moved, added up or not', async () => {
    const partner = await server.newPartner({ float: 500 });
    const { wallet } = await loggedIn(server, partner);
    await moveMoney(server, partner, wallet, 'credit', { amount: 20.5, reference: 'of-today' });
    const before = await told();
    await server.owner.query('do $$ begin while books.add_up(now()) is not null loop end loop; end $$');
    await moveMoney(server, partner, wallet, 'credit', { amount: 9.5, reference: 'of-now' });
    const { moneyDate, moneyByType, moneyByHour } = await told();
    const balance = await server.operate('GET', `/ledger/trial-balance/${moneyDate}`);
    const { totals } = balance.json<{ totals: { currency: string; debits: number }[] }>();
    const debits = totals.find(({ currency }) => currency === 'NGN')?.debits;
    const sum = (all: { currency: string; amount: number }[]) =>
      all
        .filter(({ currency }) => currency === 'NGN')
        .reduce((kobo, { amount }) => kobo + Math.round(amount * 100), 0) / 100;
    expect([sum(moneyByType), sum(moneyByHour), sum(before.moneyByType)]).toEqual([
      debits,
      debits,
      Number(debits) - 9.5,
    ]);
    expect(moneyByHour.at(-1)?.startsAt).toMatch(/:00:00\.000Z$/);
    const { rows } = await server.owner.query('select count(distinct transaction_id)::int as count from ledger.entry');
    expect(moneyByType.reduce((all, { transactions }) => all + transactions, 0)).toBe(rows[0].count);
  });
});

describe('the links of the overview', () => {
  const server = useApp(() => ({ APPROVAL_ABOVE: '1000', ...INBOUND, INBOUND_PAYSTACK_URL: standIn.origin }));

  type Name = (typeof signNames)[number];
  interface Sign {
    name: Name;
    state: string;
    count?: number;
    amount?: number;
    since?: string;
    where?: string;
  }
  interface Told {
    signs: Sign[];
    floats: object[];
    providers: { state: string }[];
  }
  let told: Told;
  const signOf = (name: Name): Sign => {
    const found = told.signs.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no sign ${name}`);
    return found;
  };
  const listOf = async <Item = Record<string, unknown>>(name: Name) => {
    const answer = await server.operate('GET', String(signOf(name).where));
    expect(answer.statusCode).toBe(200);
    return answer.json<{ items: Item[]; count: number; countIsExact?: false }>();
  };
  const planted = (statement: string, values: unknown[] = []) => server.owner.query(statement, values);

  /** Of each sign several rows, and beside them such as it does not count. */
  beforeAll(async () => {
    await planted(`insert into installation.stamp (environment, master_key_fingerprint, created_at)
    values ('sandbox', 'x', now() - interval '3 hours')`);
    await sealDue(server.resources);
    const finance = await newOperator(server, 'finance');
    for (const _ of [1, 2]) await askedFunding(server, finance);
    const rejected = await askedFunding(server, finance);
    await server.operate('POST', `/approvals/${rejected.id}/reject`, { reason: 'no' });

    for (const _ of [1, 2, 3]) await unknownPayout(server);
    await planted(
      `update payouts.payout set contradiction = 'NOT_FOUND' where id = (select min(id::text)::uuid from payouts.payout)`,
    );
    for (const amount of [70.5, 0.5]) await waitingPayment(server, await server.newPartner(), amount);
    for (const _ of [1, 2]) await unknownPayment(server);
    const dismissed = await unknownPayment(server);
    await server.operate('POST', `/inbox/${dismissed}/dismiss`, { reason: 'seen' });

    const lines = [1, 2].map((one) => ({ day: '2026-11-19', amount: 500n, reference: `theirs-${one}` }));
    const imported = await server.operate('POST', '/reconciliation/imports', importOf('TERMINAL', 'CSV', lines));
    await planted(
      `insert into reconciliation.item (rail, status, import_id, transaction_id, our_day, our_amount, created_at, updated_at)
      select 'GATEWAY', 'OURS_ALONE', $1, id, current_date, 500, now(), now() from ledger.transaction order by id limit 2`,
      [imported.json<{ id: string }>().id],
    );
    await newDispute(server, { respondBy: inDays(server, 0.5) });
    await newDispute(server);
    const { id: decided } = await newDispute(server, { respondBy: inDays(server, 0.4) });
    await server.operate('POST', `/disputes/${decided}/decide`, { outcome: 'WON', decision: 'it was theirs' });
    const waiting = [await newApplication(server), await newApplication(server)].map(
      ({ applicationId }) => applicationId,
    );
    await newApplication(server);
    await planted(`update applications.application set status = 'PENDING' where id = any($1::uuid[])`, [waiting]);

    await partnerWithEvents(server);
    await endAll(server.resources.pool, 'status 503');
    await partnerWithEvents(server);
    await endAll(server.resources.pool, null);
    await planted(`update webhooks.delivery set created_at = created_at - interval '2 days'
    where id = (select id from webhooks.delivery where status = 'FAILED' order by id limit 1)`);
    const { partner: failing } = await partnerWithEvents(server);
    const { partner: paused } = await partnerWithEvents(server);
    await server.operate('POST', `/receivers/${paused.id}/pause`, { reason: 'they asked' });
    await planted(
      `insert into webhooks.breaker (receiver_id, failures, failing_since, last_failed_at, openings, open_until)
      select id, 7, now(), now(), 1, now() + interval '1 minute' from outbox.receiver where owner_id = $1`,
      [failing.id],
    );

    const low = await server.newPartner({ float: 100 });
    await planted(
      `insert into books.partner_day_total (partner_id, day, kind, currency, type, debits, credits, movements)
     select $1, current_date - n, 'FLOAT', 'NGN', 'TRANSFER', 50000, 0, 1 from generate_series(2, 4) n`,
      [low.id],
    );
    const { paytag } = await loggedIn(server, low);
    for (let guess = 0; guess < 6; guess += 1) {
      const payload = { paytag, password: 'guessed-1', codeChallenge: 'x'.repeat(43) };
      await server.call('POST', '/v2/sso/auth-code', { headers: low.headers, payload });
    }
    standIn.receiver.answer(() => ({ status: 503, body: '{}' }));
    await server.operate('GET', '/rails');
    await server.operate('GET', '/ledger/check');
    await planted(`update integrity.run set ok = false, results = (
    select jsonb_agg(case when at < 3 then one || '{"violations": 2}' else one || '{"violations": 0}' end)
      from jsonb_array_elements(results) with ordinality x(one, at))`);
    told = (await server.operate('GET', '/overview')).json<Told>();
  });

  /** The overview itself, the books and limits, each by what it counts; of all others the length of the list. */
  const others: Partial<Record<Name, (name: Name) => Promise<number> | number>> = {
    FLOATS_LOW: () => told.floats.length,
    PROVIDERS_DOWN: () => told.providers.filter(({ state }) => state === 'DOWN').length,
    BOOKS_CHECKED: async () => {
      const answer = await server.operate('GET', String(signOf('BOOKS_CHECKED').where));
      const { checks } = answer.json<{ checks: { violations: number }[] }>();
      return checks.filter(({ violations }) => violations > 0).length;
    },
  };

  /** @throws Error where a list says that it has another number of items than it has */
  async function lengthOf(name: Name): Promise<number> {
    const { items, count } = await listOf(name);
    if (items.length !== count) throw new Error(`${name}: ${items.length} items of ${count}`);
    return count;
  }

  describe('each number of the overview leads to exactly what it counts', () => {
    const counted = signNames.filter((name) => name !== 'BOOKS_SEALED');

    it.each(counted)('%s', async (name) => {
      const { count = 0, state } = signOf(name);
      expect(['WAITS', 'WRONG']).toContain(state);
      expect(count).toBeGreaterThan(0);
      expect(await (others[name] ?? lengthOf)(name)).toEqual(count);
    });

    it('IN_SUSPENSE also by its amount', async () => {
      const { items } = await listOf<{ amount: number }>('IN_SUSPENSE');
      expect(items.reduce((sum, { amount }) => sum + amount, 0)).toBe(signOf('IN_SUSPENSE').amount);
    });

    it('BOOKS_SEALED tells when the newest seal ends', async () => {
      const { items } = await listOf<{ endsAt: string }>('BOOKS_SEALED');
      expect(items[0]?.endsAt).toBe(signOf('BOOKS_SEALED').since);
    });
  });

  it('what the books were last found to be is told without checking them, what is broken first', async () => {
    const runs = async () => (await planted('select count(*)::int as runs from integrity.run')).rows;
    const before = await runs();
    const { ok, checks } = (await server.operate('GET', '/ledger/check?last=true')).json();
    expect(ok).toBe(false);
    expect(checks.map(({ violations }: { violations: number }) => violations)).toEqual([
      2,
      2,
      ...Array(checks.length - 2).fill(0),
    ]);
    expect(checks[0].promise).toEqual(expect.stringMatching(/\w/));
    expect(await runs()).toEqual(before);
  });
});
