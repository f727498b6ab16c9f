import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { openSnapshots } from '#lib/postgres/long-work.ts';
import { addUpDays, asMinor, findFloat, placeHold, systemAccount } from '#modules/ledger';
import { runDueCheck } from '#modules/proof';
import { maintain, maintainEachMinute } from '../../../src/worker/maintenance.ts';
import { cleanUp } from '../../../src/worker/start-worker.ts';
import { useApp } from '../../support/app.ts';
import { newApplication, operateApplication } from '../../support/application.ts';
import { brokenInvariants, eventsOf } from '../../support/books.ts';
import { paytagBody } from '../../support/customers.ts';
import { usePast } from '../../support/ledger.ts';
import { customerToken, newCustomer, newPerson, startChange, startSession } from '../../support/onboarding.ts';
import { enterPortal } from '../../support/portal.ts';
import { postingBetween } from '../../support/post.ts';
import { scrape } from '../../support/served.ts';
import { newSplit, newTerminal } from '../../support/terminals.ts';
import { changeWallet, fundedWallet, moveMoney, refund } from '../../support/wallets.ts';

describe('maintenance', () => {
  const server = useApp({ FEE_PARTNER_WALLET_DEBIT: '2' });
  const HOUR_MS = 60 * 60 * 1000;

  const accountOf = async (reference: string): Promise<{ id: number; suspended: number; posted: number }> => {
    const { rows } = await server.owner.query(
      'select id::int, suspended::int, posted::int from ledger.account where reference = $1 and currency = $2',
      [reference, 'NGN'],
    );
    return rows[0];
  };

  it('an overdue hold is released, another one stays until it is overdue', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    const { id } = await accountOf(wallet);
    const now = server.clock.now().getTime();
    for (const [reference, hours] of [
      ['short', 1],
      ['long', 5],
    ] as const) {
      const expiresAt = new Date(now + hours * HOUR_MS);
      const hold = { owner: partner.id, reference, account: id, amount: asMinor(1_000n), expiresAt };
      await placeHold(server.resources.db, hold);
    }
    await maintain(server.resources);
    expect(await accountOf(wallet)).toMatchObject({ suspended: 2_000 });
    for (const [reference, suspended] of [
      ['short', 1_000],
      ['long', 0],
    ] as const) {
      await server.owner.query(`update ledger.hold set expires_at = now() where owner_id = $1 and reference = $2`, [
        partner.id,
        reference,
      ]);
      await maintain(server.resources);
      expect(await accountOf(wallet)).toMatchObject({ suspended });
    }
  });

  it('what postings left to be added to our own accounts is added, once, also by several processes at a time', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    await maintain(server.resources);
    const before = await accountOf('fee');
    for (let turn = 0; turn < 20; turn++) {
      await moveMoney(server, partner, wallet, 'debit', { amount: 3, reference: `r${turn}` });
    }
    expect(await accountOf('fee')).toEqual(before);
    await Promise.all(Array.from({ length: 4 }, () => maintain(server.resources)));
    expect(await accountOf('fee')).toMatchObject({ posted: before.posted + 20 * 200 });
    const { rows } = await server.owner.query('select count(*)::int as waiting from ledger.deferred_delta');
    expect(rows).toEqual([{ waiting: 0 }]);
  });

  it('a pending refund comes to a wallet that takes it again, once, also by several processes at a time', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    await moveMoney(server, partner, wallet, 'debit', { amount: 40, reference: 'order' });
    await changeWallet(server, wallet, { status: 'Blocked' });
    await refund(server, partner, 'order', { reference: 'waits', amount: 30 });
    await maintain(server.resources);
    expect(await accountOf(wallet)).toMatchObject({ posted: 6_000 });

    // As if the process had died between the change and what follows from it.
    await server.owner.query(
      `with enabled as (update ledger.account set status = 'Enabled' where reference = $1 returning reference)
     insert into audit.entry (actor, action, target, after)
       select 'operator', 'wallet.change', reference, '{"status": "Enabled", "dailyLimit": null, "tier": 1}' from enabled`,
      [wallet],
    );
    await Promise.all(Array.from({ length: 4 }, () => maintain(server.resources)));
    await maintain(server.resources);
    expect(await accountOf(wallet)).toMatchObject({ posted: 9_000 });
    expect(await eventsOf(server, wallet)).toHaveLength(3);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('refunds, an operator who blocks and enables the wallet, and maintenance at the same time lose nothing and never deadlock', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    await server.operate('POST', `/partners/${partner.id}/float`, { amount: 100, reference: `more-${partner.id}` });
    await moveMoney(server, partner, wallet, 'debit', { amount: 60, reference: 'order' });
    const times = <T>(count: number, work: (turn: number) => Promise<T>) =>
      Promise.all(Array.from({ length: count }, (_, turn) => work(turn)));
    const [refunds, changes] = await Promise.all([
      times(60, (turn) => refund(server, partner, 'order', { reference: `r${turn}`, amount: 1 })),
      times(30, (turn) => changeWallet(server, wallet, { status: turn % 2 === 0 ? 'Blocked' : 'Enabled' })),
      times(10, () => maintain(server.resources)),
    ]);
    expect(new Set([...refunds, ...changes].map(({ statusCode }) => statusCode))).toEqual(new Set([200]));

    await changeWallet(server, wallet, { status: 'Enabled' });
    await maintain(server.resources);
    expect(await accountOf(wallet)).toMatchObject({ posted: 10_000 });
    expect(await eventsOf(server, wallet)).toHaveLength(2 + 60);
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('each minute', () => {
  const server = useApp();
  const DAY_MS = 24 * 60 * 60 * 1000;

  async function overdueSplit(): Promise<() => Promise<string>> {
    const terminal = await newTerminal(server, await server.newPartner());
    const expiresAt = new Date(server.clock.now().getTime() + DAY_MS).toISOString();
    const split = await newSplit(server, terminal, 10, { expiresAt });
    server.clock.advance(DAY_MS);
    const text = 'select status from terminals.split where reference = $1';
    return async () => (await server.owner.query(text, [split])).rows[0].status;
  }

  it('an overdue split is marked as expired', async () => {
    const status = await overdueSplit();
    await maintainEachMinute(server.resources);
    expect(await status()).toBe('Expired');
  });

  it('a worker that is about to end begins nothing of it', async () => {
    const status = await overdueSplit();
    await maintainEachMinute(server.resources, AbortSignal.abort());
    expect(await status()).not.toBe('Expired');
  });
});

describe('the cleanup', () => {
  const server = useApp();
  const DAY_MS = 24 * 60 * 60 * 1000;

  const counts = async () => {
    const { rows } = await server.owner.query(`
    select (select count(*)::int from idempotency.request) as requests,
      (select count(*)::int from onboarding.creation_session) as creations,
      (select count(*)::int from sessions.auth_code) as codes,
      (select count(*)::int from sessions.session) as sessions`);
    return rows[0];
  };

  it('expired records are deleted a day later with their personal data, and live ones stay', async () => {
    const { headers } = await server.newPartner();
    const person = paytagBody();
    const { session } = (await server.call('POST', '/v2/sso/create-tag', { headers, payload: person })).json();
    await server.call('GET', `/v2/sso/${session}/otp`, { headers });
    await server.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp: '123456' } });
    const login = { paytag: person.tag, password: 'correct horse battery staple' };
    await server.call('POST', `/v2/sso/create-tag/${session}/complete`, {
      headers: { ...headers, 'idempotency-key': 'k1' },
      payload: login,
    });
    const redirect = await server.call('POST', '/v2/sso/auth-code', { headers, payload: login });
    const code = new URL(redirect.body).searchParams.get('auth-code');
    expect((await server.call('GET', `/v2/sso/token?auth-code=${code}`, { headers })).statusCode).toBe(200);

    await cleanUp(server.resources);
    expect(await counts()).toEqual({ requests: 1, creations: 1, codes: 1, sessions: 1 });
    server.clock.advance(DAY_MS + 2 * 60 * 60 * 1000);
    await cleanUp(server.resources);
    expect(await counts()).toEqual({ requests: 0, creations: 0, codes: 0, sessions: 0 });
  });

  it('a webhook secret from before a rotation is deleted when it signs no more, and not sooner', async () => {
    const { headers } = await server.newPartner();
    await server.call('POST', '/v2/partner/webhook/secret/rotate', { headers });
    const kept = async () =>
      (await server.owner.query('select count(previous_secret_sealed)::int as kept from outbox.receiver')).rows;
    await cleanUp(server.resources);
    expect(await kept()).toEqual([{ kept: 1 }]);
    server.clock.advance(DAY_MS);
    await cleanUp(server.resources);
    expect(await kept()).toEqual([{ kept: 0 }]);
  });

  it('that a link to webhook pages was closed is known for as long as it would have opened them', async () => {
    await (await enterPortal(server, await server.newPartner())).press('/webhooks/close');
    const kept = async () =>
      (await server.owner.query('select count(*)::int as kept from partners.closed_portal_link')).rows;
    await cleanUp(server.resources);
    expect(await kept()).toEqual([{ kept: 1 }]);
    server.clock.advance(60 * 60 * 1000 + 1);
    await cleanUp(server.resources);
    expect(await kept()).toEqual([{ kept: 0 }]);
  });
});

describe('the cleanup of what was abandoned', () => {
  const server = useApp({ APPLICATION_REGISTRATION: 'approval' });
  const HOUR_MS = 60 * 60 * 1000;
  const DAY_MS = 24 * HOUR_MS;

  async function cleanUpAfter(ms: number): Promise<void> {
    server.clock.advance(ms);
    await cleanUp(server.resources);
  }

  const sessionsOfPartner = async (partnerId: string) => {
    const text = 'select kind from onboarding.creation_session where partner_id = $1 order by kind';
    const { rows } = await server.owner.query<{ kind: string }>(text, [partnerId]);
    return rows.map(({ kind }) => kind);
  };

  describe('what somebody entered and never completed is deleted within a day of its end:', () => {
    it('an onboarding, with the BVN in it', async () => {
      const partner = await server.newPartner();
      await startSession(server, partner, newPerson());
      await cleanUpAfter(DAY_MS);
      expect(await sessionsOfPartner(partner.id)).toEqual(['CREATION']);
      await cleanUpAfter(HOUR_MS);
      expect(await sessionsOfPartner(partner.id)).toEqual([]);
    });

    it('a change of a contact, with the address in it, and the record keeps the old one', async () => {
      const partner = await server.newPartner();
      const { paytag, email } = await newCustomer(server, partner);
      const token = await customerToken(server, partner, paytag);
      const headers = { ...partner.headers, authorization: `Bearer ${token}` };
      expect((await startChange(server, { headers }, { email: 'new@example.test' })).statusCode).toBe(200);
      expect(await sessionsOfPartner(partner.id)).toContain('CONTACT_CHANGE');
      await cleanUpAfter(DAY_MS + HOUR_MS);
      expect(await sessionsOfPartner(partner.id)).toEqual([]);
      const found = await server.operate('POST', '/customers/find', { paytag });
      const id = found.json<{ items: { id: string }[] }>().items[0]?.id;
      const revealed = await server.operate('POST', `/customers/${id}/reveal`, { reason: 'a test', fields: ['email'] });
      expect(revealed.json()).toMatchObject({ email });
    });
  });

  describe('an application that nobody approved for 90 days', () => {
    const registered = { email: 'ada@example.test', imageUrl: 'https://example.test/ada.png' };
    const view = async (id: string) => (await server.operate('GET', `/applications/${id}`)).json();

    it('has no address or picture any more, keeps its name, and can be approved', async () => {
      const { applicationId } = await newApplication(server, 'Mama Put', registered);
      await cleanUpAfter(89 * DAY_MS);
      expect(await view(applicationId)).toMatchObject(registered);
      await cleanUpAfter(DAY_MS + 1);
      const forgotten = await view(applicationId);
      expect(forgotten).toMatchObject({ name: expect.any(String), status: 'PENDING' });
      expect(forgotten).not.toHaveProperty('email');
      expect(forgotten).not.toHaveProperty('imageUrl');
      expect((await operateApplication(server, applicationId, 'approve')).statusCode).toBe(200);
    });

    it('is another than one that was approved, whose address stays', async () => {
      const { applicationId } = await newApplication(server, 'Mama Put', registered);
      await operateApplication(server, applicationId, 'approve');
      await cleanUpAfter(91 * DAY_MS);
      expect(await view(applicationId)).toMatchObject(registered);
    });
  });
});

describe('the roll-up', () => {
  const server = useApp();
  const postAt = usePast(server);
  const MINUTE_MS = 60_000;
  const HOUR_MS = 60 * MINUTE_MS;
  const STATEMENT_MS = 400;
  /** What a movement costs the statement that adds it up. */
  const MOVEMENT_MS = 20;

  /** A worker whose statements may take no longer than that. */
  let worker: DatabaseHandle | undefined;
  beforeAll(() => {
    worker = openDatabase(server.resources.databaseUrl, 2, () => {}, { statementTimeoutMs: STATEMENT_MS });
  });
  afterAll(() => worker?.close());

  const slowed = `
  create function books.take_time() returns trigger language plpgsql as $$
  begin
    perform pg_sleep(${MOVEMENT_MS / 1000} * new.transactions);
    return new;
  end $$;
  create trigger take_time before insert on books.hour_total for each row execute function books.take_time();`;

  it('after a stop the roll-up arrives, though one statement can add up neither a day nor its busiest hour', async () => {
    if (worker === undefined) throw new Error('the worker runs from beforeAll to afterAll');
    const partner = await server.newPartner();
    const float = await findFloat(server.resources.db, server.resources.keyring, partner.id, 'NGN');
    const stopped = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 50 * HOUR_MS;
    const hourly = Array.from({ length: 48 }, (_, hour) => stopped + hour * HOUR_MS);
    const inOneHour = Array.from({ length: 40 }, (_, minute) => stopped + 20 * HOUR_MS + (minute + 1) * MINUTE_MS);
    for (const at of [...hourly, ...inOneHour].toSorted((a, b) => a - b)) {
      const posting = { owner: partner.id, reference: `past-${at}` };
      await postAt(postingBetween(systemAccount('CLEARING', 'NGN'), float?.id ?? 0, 100n, posting), new Date(at));
    }
    await server.owner.query(slowed);

    const lagS = async () =>
      Number(
        (await server.owner.query('select extract(epoch from now() - until) as lag from books.totalled')).rows[0].lag,
      );
    for (let run = 0; run < 10 && (await lagS()) > 60; run++) await addUpDays(worker, { graceS: 0, everyS: 1 });
    expect(await lagS()).toBeLessThan(60);
    const { rows } = await server.owner.query(
      `select sum(transactions)::int as transactions, sum(debits)::int as debits from books.hour_total where hour < $1`,
      [new Date(stopped + 48 * HOUR_MS)],
    );
    expect(rows).toEqual([{ transactions: 88, debits: 8_800 }]);
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('the scheduled check', () => {
  const server = useApp();
  const HOUR_MS = 60 * 60 * 1000;
  const DAY_MS = 24 * HOUR_MS;

  const runs = async () =>
    (await server.owner.query('select since is null as whole, ok from integrity.run order by id')).rows;

  it('everything is checked once a night and what is new every hour, and the metrics say so from any process', async () => {
    const { wallet } = await fundedWallet(server, 100);
    expect(await scrape(server)).not.toMatch(/^paytag_integrity_violations\{/m);
    await runDueCheck(server.resources);
    await runDueCheck(server.resources);
    expect(await runs()).toEqual([{ whole: true, ok: true }]);
    expect(await scrape(server)).toMatch(/^paytag_integrity_violations\{invariant="floors_hold"\} 0$/m);

    server.clock.advance(DAY_MS);
    await runDueCheck(server.resources);
    await server.owner.query('update ledger.account set suspended = 5 where reference = $1', [wallet]);
    server.clock.advance(HOUR_MS);
    await runDueCheck(server.resources);
    const kinds = (await runs()).map(({ whole, ok }) => `${whole ? 'whole' : 'recent'} ${ok ? 'ok' : 'broken'}`);
    expect(kinds.slice(0, 2)).toEqual(['whole ok', 'whole ok']);
    expect(kinds.at(-1)).toMatch(/ broken$/);
    const text = await scrape(server);
    expect(text).toMatch(/^paytag_integrity_violations\{invariant="suspended_is_what_is_held"\} 1$/m);
    expect(text).toMatch(/^paytag_integrity_unfinished\{invariant="floors_hold"\} 0$/m);
    expect(text).toMatch(/^paytag_integrity_last_success_timestamp_seconds\{kind="whole"\} \d{10}/m);
    expect(text).toMatch(/^paytag_integrity_duration_seconds\{kind="whole"\} \d/m);
  });

  it('a check that another process runs is left to it', async () => {
    server.clock.advance(DAY_MS);
    const other = await openSnapshots(server.resources.databaseUrl);
    await other.lock('integrity.check');
    const before = (await runs()).length;
    await runDueCheck(server.resources);
    await other.close();
    expect(await runs()).toHaveLength(before);
  });
});
