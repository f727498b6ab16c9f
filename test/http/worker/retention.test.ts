import { beforeAll, describe, expect, it } from 'vitest';
import { notifyCustomer, sendNotices } from '#modules/customers';
import { AddressRefused, MessagingProviderDown, type TextMessage } from '../../../src/providers/messaging/port.ts';
import { retention } from '../../../src/rooms.ts';
import { cleanUp } from '../../../src/worker/start-worker.ts';
import { startApp, useApp } from '../../support/app.ts';
import { sentNotices } from '../../support/customers.ts';
import { completeReset, logIn, newCustomer, type Person, validatedReset } from '../../support/onboarding.ts';
import { endOfLog, explainAll, explainedSince, nodesOf } from '../../support/plans.ts';
import { scrape } from '../../support/served.ts';
import { kycWallet, moveMoney } from '../../support/wallets.ts';

describe('retention', () => {
  const server = useApp();
  const DAY_MS = 24 * 60 * 60 * 1000;
  const { clock } = server;
  const query = async (text: string) => (await server.owner.query(text)).rows;
  const count = async (table: string) => (await query(`select count(*)::int as n from ${table}`))[0].n;
  /** What was logged of steps that failed. */
  const failures = () =>
    server.logged
      .split('\n')
      .filter((line) => line.includes('task.step_failed'))
      .map((line) => JSON.parse(line));

  it('every table of the database says how long it is kept, and none that is not there does', async () => {
    const rows: { name: string }[] =
      await query(`select relnamespace::regnamespace || '.' || relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition
      and relnamespace::regnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`);
    const names = rows.map(({ name }) => name.replace(/^bullmq\..*/, 'bullmq.*'));
    expect(retention.map(({ table }) => table).toSorted()).toEqual([...new Set<string>(names)].toSorted());
    expect(retention.filter(({ kept, why }) => kept === '' || why === '')).toEqual([]);
  });

  describe('a backlog of 210,000 rows', () => {
    const MANY = 210_000;
    /** Notes how many rows each statement deletes; `also` is done besides. */
    const note = (also = '') => `
    create or replace function public.note() returns trigger language plpgsql security definer as $$
    begin
      insert into public.batch (rows) select count(*) from gone;
      ${also}
      return null;
    end $$`;

    beforeAll(async () => {
      await query(`
      insert into idempotency.request (scope, body_digest, run_id, locked_until, expires_at)
        select sha256(n::text::bytea), '\\x00', gen_random_uuid(), now(), now() - n * interval '1 second' from generate_series(1, ${MANY}) n;
      create table public.batch (rows int)`);
      await query(
        note(
          'if (select count(*) from public.batch) = 60 then perform pg_terminate_backend(pg_backend_pid()); end if;',
        ),
      );
      await query(`create trigger note after delete on idempotency.request referencing old table as gone
      for each statement execute function public.note()`);
    });

    it('goes in small batches while money moves, and goes on where it was cut off', async () => {
      const partner = await server.newPartner({ float: 10_000 });
      const wallet = await kycWallet(server, partner);
      const over = new AbortController();
      const cutOff = cleanUp(server.resources)
        .catch((error: Error) => error.message)
        .finally(() => over.abort());
      let moved = 0;
      for (; !over.signal.aborted; moved += 1) {
        const { statusCode } = await moveMoney(server, partner, wallet, 'credit', {
          amount: 1,
          reference: `m${moved}`,
        });
        expect(statusCode).toBe(200);
      }
      expect(await cutOff).toBe('failed steps: forgetting idempotency.request');
      expect(moved).toBeGreaterThan(5);
      expect(await count('idempotency.request')).toBe(MANY - 59 * 500);

      await query(note());
      await cleanUp(server.resources);
      expect(await count('idempotency.request')).toBe(0);
      const [batches] = await query('select max(rows) as largest, count(*)::int as count from public.batch');
      expect(batches).toEqual({ largest: 500, count: MANY / 500 + 1 });
    });

    it('that could not be forgotten in one run is told by the log and the metrics, and nothing else is held up', async () => {
      await query(`
      insert into throttles.counter (key, spent, expires_at) select n::text::bytea, 1, now() - interval '1 day' from generate_series(1, 700) n;
      insert into idempotency.request (scope, body_digest, run_id, locked_until, expires_at)
        values ('\\x01', '\\x00', gen_random_uuid(), now(), now() - interval '1 day')`);
      await query(note(`raise exception 'not today';`));
      await expect(cleanUp(server.resources)).rejects.toThrow('forgetting idempotency.request');
      expect([await count('throttles.counter'), await count('idempotency.request')]).toEqual([0, 1]);
      expect(failures().at(-1)).toMatchObject({ step: 'forgetting idempotency.request', level: 50 });
      const metrics = await scrape(server);
      expect(metrics).toContain('paytag_task_steps_failed_total{step="forgetting idempotency.request"} 2');
      expect(metrics).toMatch(/paytag_forgotten_rows_total\{table="throttles.counter"\} \d{3}/);
      await query(note());
      await cleanUp(server.resources);
      expect(await count('idempotency.request')).toBe(0);
    });
  });

  describe('an event', () => {
    it('that nobody takes ends, is forgotten as one that failed, and leaves what proves it', async () => {
      const partner = await server.newPartner({ float: 100 });
      const wallet = await kycWallet(server, partner);
      await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: 'untold' });
      const told = async () =>
        (
          await server.owner.query(
            `select d.status, d.last_error as error, v.body is not null as body, v.body_digest is not null as digest
             from outbox.event v left join webhooks.delivery d on d.event_id = v.id where v.reference = $1`,
            [wallet],
          )
        ).rows;
      const after = async (days: number) => {
        clock.advance(days * DAY_MS);
        await cleanUp(server.resources);
      };
      await after(89);
      expect(await told()).toEqual([{ status: 'PENDING', error: null, body: true, digest: false }]);
      await after(2);
      expect(await told()).toEqual([{ status: 'FAILED', error: 'waited too long', body: true, digest: false }]);
      expect(await count('webhooks.failure')).toBe(0);
      await after(365);
      expect(await told()).toEqual([{ status: 'FAILED', error: 'waited too long', body: false, digest: true }]);
      expect((await server.operate('GET', '/ledger/check')).json().ok).toBe(true);
      await after(366);
      expect(await told()).toEqual([{ status: null, error: null, body: false, digest: true }]);
      expect((await server.operate('GET', '/ledger/check')).json().ok).toBe(true);
    });

    it('that no endpoint wants leaves no body at all', async () => {
      const partner = await server.newPartner({ float: 100 });
      await server.owner.query(`update outbox.receiver set events = '{wallet.debited}' where owner_id = $1`, [
        partner.id,
      ]);
      const wallet = await kycWallet(server, partner);
      await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: 'unwanted' });
      const { rows } = await server.owner.query(
        'select body, length(body_digest) as digest from outbox.event where reference = $1',
        [wallet],
      );
      expect(rows).toEqual([{ body: null, digest: 32 }]);
    });
  });

  it('what is forgotten is found by an index, in its order', async () => {
    const [{ name }] = await query('select current_database() as name');
    for (const node of ['seqscan', 'bitmapscan', 'sort'])
      await query(`alter database ${name} set enable_${node} = off`);
    await explainAll(server.owner);
    const explained = await startApp(server.resources.databaseUrl, {}, clock);
    const from = await endOfLog(server.owner);
    await cleanUp(explained.resources);
    await explained.close();
    const statements = (await explainedSince(server.owner, from)).filter((one) =>
      one['Query Text'].startsWith('with gone as'),
    );
    const poor = statements.filter(({ Plan }) => nodesOf(Plan).some((node) => /Seq Scan|Sort/.test(node['Node Type'])));
    expect(poor.map((one) => one['Query Text'])).toEqual([]);
    expect(statements.length).toBeGreaterThan(15);
  });
});

describe('notices', () => {
  const server = useApp();
  const MINUTE_MS = 60_000;

  const link = async (bvn: string) => {
    const partner = await server.newPartner();
    await server.call('POST', `/v2/partner/paytag/bvn/${bvn}`, { headers: partner.headers });
    return partner;
  };
  const newPerson = async () => newCustomer(server, await server.newPartner());
  /** Of one person: who they are stands in the address. */
  const of = ({ phone, email }: Person, sent: TextMessage[]) => sent.filter(({ to }) => to === phone || to === email);
  const bothOf = ({ phone, email }: Person) => [phone, email];

  describe('a customer is told, at phone and e-mail address,', () => {
    it('that a partner linked their BVN, and of the first login there, once each', async () => {
      const ada = await newPerson();
      const partner = await link(ada.bvn);
      await server.call('POST', `/v2/partner/paytag/bvn/${ada.bvn}`, { headers: partner.headers });
      const linked = of(ada, await sentNotices(server));
      expect(linked.map(({ to }) => to)).toEqual(bothOf(ada));
      expect(linked[0]?.text).toMatch(/^PayTag notice: Partner \d+ linked your PayTag ada\d+ by your BVN \(/);

      await logIn(server, partner, ada.paytag);
      await logIn(server, partner, ada.paytag);
      const loggedIn = of(ada, await sentNotices(server));
      expect(loggedIn.map(({ to }) => to)).toEqual(bothOf(ada));
      expect(loggedIn[1]).toMatchObject({
        subject: 'A first login with your PayTag',
        text: expect.stringMatching(/First login to PayTag ada\d+ at Partner \d+ \(.+\)\. If it was not you, reset/),
      });
    });

    it('of a password that was reset', async () => {
      const partner = await server.newPartner();
      const ada = await newCustomer(server, partner);
      await completeReset(server, partner, await validatedReset(server, partner, ada.paytag));
      const told = of(ada, await sentNotices(server));
      expect(told.map(({ to }) => to)).toEqual(bothOf(ada));
      expect(told[0]?.text).toMatch(/The password of PayTag ada\d+ was changed at Partner \d+/);
    });

    it('in a text message of one part or two', async () => {
      const ada = await newPerson();
      await link(ada.bvn);
      for (const { text } of await sentNotices(server)) expect(text.length).toBeLessThan(306);
    });
  });

  describe('a notice', () => {
    it('is not written when what it tells of is not', async () => {
      const ada = await newPerson();
      const { rows } = await server.owner.query<{ id: string }>(
        'select id from customers.customer order by id desc limit 1',
      );
      const undone = server.resources.transact(async (tx) => {
        const deed = { customerId: rows[0]?.id ?? '', partnerId: undefined, now: server.clock.now() };
        await notifyCustomer(tx, server.resources, { ...deed, kind: 'PASSWORD_RESET' });
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(of(ada, await sentNotices(server))).toEqual([]);
    });

    it('is sent once by any number of workers, and its address is kept no longer', async () => {
      const ada = await newPerson();
      await link(ada.bvn);
      const sent = (await Promise.all(Array.from({ length: 6 }, () => sentNotices(server)))).flat();
      expect(of(ada, sent)).toHaveLength(2);
      const { rows } = await server.owner.query('select 1 from notices.notice where recipient_sealed is not null');
      expect(rows).toEqual([]);
    });

    it('is sent later where the provider is down, and by another worker where the first one died', async () => {
      const ada = await newPerson();
      await link(ada.bvn);
      await sentNotices(server, new MessagingProviderDown('down'));
      expect(of(ada, await sentNotices(server))).toEqual([]);
      server.clock.advance(MINUTE_MS);
      void sendNotices({ ...server.resources, texts: { sendText: () => new Promise(() => {}) } });
      const attempted = 'select 1 from notices.notice where due_at is not null and attempts = 2';
      while ((await server.owner.query(attempted)).rowCount !== 2);
      expect(of(ada, await sentNotices(server))).toEqual([]);
      server.clock.advance(2 * MINUTE_MS);
      expect(of(ada, await sentNotices(server))).toHaveLength(2);
    });

    it.each([
      ['may have left already', new MessagingProviderDown('no answer', { mayHaveSent: true })],
      ['has no mailbox to go to', new AddressRefused('nobody there')],
    ])('that %s is not sent again', async (_, failure) => {
      const ada = await newPerson();
      await link(ada.bvn);
      await sentNotices(server, failure);
      server.clock.advance(24 * 60 * MINUTE_MS);
      expect(of(ada, await sentNotices(server))).toEqual([]);
    });

    it('is given up after ten tries, and forgotten after 90 days', async () => {
      const ada = await newPerson();
      await link(ada.bvn);
      for (let attempt = 0; attempt < 10; attempt += 1) {
        await sentNotices(server, new MessagingProviderDown('down'));
        server.clock.advance(60 * MINUTE_MS);
      }
      expect(of(ada, await sentNotices(server))).toEqual([]);
      expect(server.logged).toContain('a notice to a customer could not be sent; it is abandoned');
      server.clock.advance(91 * 24 * 60 * MINUTE_MS);
      await cleanUp(server.resources);
      expect((await server.owner.query('select 1 from notices.notice')).rows).toEqual([]);
    });
  });
});
