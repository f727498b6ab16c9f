import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { getDelivery, listDeliveries } from '#modules/webhooks';
import { asOwner } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { useDispatchers, useOutbox } from '../../support/outbox.ts';
import { useReceiver } from '../../support/receiver.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';

const outbox = useOutbox();
const receiver = useReceiver();
const opened: Pick<DatabaseHandle, 'close'>[] = [];
afterEach(async () => {
  for (const handle of opened.splice(0)) await handle.close();
});
const dispatchers = useDispatchers(); // closes its own before the databases are

beforeEach(async () => {
  await outbox.pool.query('truncate outbox.receiver cascade');
  receiver.reset();
});
const start = (given: Partial<Parameters<typeof dispatchers.start>[0]> = {}) =>
  dispatchers.start({ pool: outbox.pool, ...given });
/** The one delivery there is. */
const only = async () => {
  const { items } = await listDeliveries(outbox.db, { limit: 2, offset: 0 });
  const [first] = items;
  if (first === undefined || items.length !== 1) throw new Error('expected one delivery');
  return getDelivery(outbox.db, first.id);
};
const ended = (status: string) => eventually(async () => expect(await only()).toMatchObject({ status }));

describe('a dispatcher', () => {
  test('that is to end hands back what it claims meanwhile: nothing of it is sent, no attempt counts, and another sends it', async () => {
    const own = openDatabase(outbox.url, 2, () => undefined);
    opened.push(own);
    const [claimed, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const query = own.pool.query.bind(own.pool);
    const slow = Object.assign(Object.create(own.pool), {
      async query(given: pg.QueryConfig) {
        const result = await query(given);
        if (given.name !== 'webhooks-claim') return result;
        claimed.resolve();
        await goOn.promise;
        return result;
      },
    });
    receiver.answer([503]);
    await outbox.emitTo(await outbox.newReceiver(receiver.url));
    const first = start({ baseMs: 1_000_000 });
    await first.pump();
    await eventually(async () => expect(await only()).toMatchObject({ attempts: 1, lastError: 'status 503' }));
    await first.close();
    await outbox.pool.query('update webhooks.delivery set due_at = now()');
    await outbox.pool.query('update webhooks.breaker set open_until = now()'); // one probe at a time
    const before = await only();
    const ending = start({ pool: slow });
    void ending.pump();
    await claimed.promise;
    expect(await only()).toMatchObject({ attempts: 2 });
    const closed = ending.close();
    goOn.resolve();
    await closed;
    expect(await only()).toEqual({ ...before, updatedAt: expect.any(Date) });
    expect(receiver.requests).toHaveLength(1);
    void start().pump();
    await ended('DELIVERED');
    expect((await only()).history).toMatchObject([
      { number: 1, statusCode: 503 },
      { number: 2, statusCode: 200 },
    ]);
  });

  test('records, after the database was away, what it had sent: nothing is sent again', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    await outbox.emitTo(partner);
    const own = openDatabase(outbox.url, 2, () => undefined);
    opened.push(own);
    const cut = Promise.withResolvers<void>();
    receiver.answer(() => cut.promise.then(() => 200));
    void start({ pool: own.pool }).pump();
    await receiver.waitFor(() => true);
    const name = new URL(outbox.url).pathname.slice(1);
    const admin = openDatabase(new URL('/postgres', asOwner(outbox.url)).href, 1, () => undefined);
    opened.push(admin);
    await admin.pool.query(`alter database ${name} allow_connections false`);
    await admin.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    cut.resolve();
    await eventually(() =>
      expect(dispatchers.kept.lines).toContainEqual(
        expect.objectContaining({ msg: expect.stringMatching(/recording.* fails$/) }),
      ),
    );
    await admin.pool.query(`alter database ${name} allow_connections true`);
    await ended('DELIVERED');
    expect(receiver.requests).toHaveLength(1);
    expect(dispatchers.kept.lines.filter(({ msg }) => msg === 'recording webhook outcomes fails')).toHaveLength(1);
  });

  test('sends nothing twice and counts a failure once when the database commits but its answer is lost', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    await outbox.emitTo(partner);
    const proxy = await startTcpProxy(outbox.url);
    const own = openDatabase(proxy.url, 2, () => undefined);
    opened.push(own, { close: () => proxy.close() });
    const answered = Promise.withResolvers<number>();
    receiver.answer(() => answered.promise);
    await start({ pool: own.pool, baseMs: 3_600_000 }).pump();
    proxy.loseAnswers(1); // the next one is of the outcome
    answered.resolve(500);
    await eventually(async () => expect((await only()).history).toMatchObject([{ statusCode: 500 }]));
    await eventually(() =>
      expect(dispatchers.kept.lines.map(({ msg }) => msg)).toContain('recording webhook outcomes works again'),
    );
    expect(await only()).toMatchObject({ status: 'PENDING', attempts: 1 });
    expect((await outbox.pool.query('select failures from webhooks.breaker')).rows).toEqual([{ failures: 1 }]);
    expect(receiver.requests).toHaveLength(1);
  });

  test('whose claim was lost on the way to the database claims again, and says so once', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    await outbox.emitTo(partner);
    const proxy = await startTcpProxy(outbox.url);
    const own = openDatabase(proxy.url, 2, () => undefined);
    opened.push(own, { close: () => proxy.close() });
    proxy.loseRequests(1);
    const dispatcher = start({ pool: own.pool });
    await dispatcher.pump();
    expect((await only()).attempts).toBe(0);
    await dispatcher.pump();
    await ended('DELIVERED');
    expect((await only()).attempts).toBe(1);
    const said = dispatchers.kept.lines.map(({ msg }) => msg).filter((msg) => String(msg).startsWith('claiming'));
    expect(said).toEqual(['claiming webhook deliveries fails', 'claiming webhook deliveries works again']);
  });

  test('whose database falls silent without ending its connections goes on over others', async () => {
    const proxy = await startTcpProxy(outbox.url);
    const own = openDatabase(proxy.url, 2, () => undefined, { answerTimeoutMs: 2_000 });
    opened.push(own, { close: () => proxy.close() });
    const dispatcher = start({ pool: own.pool });
    await dispatcher.pump();
    proxy.fallSilent();
    await outbox.emitTo(await outbox.newReceiver(receiver.url));
    await eventually(async () => {
      await dispatcher.pump();
      expect(await only()).toMatchObject({ status: 'DELIVERED' });
    });
    expect(dispatchers.kept.lines.map(({ msg }) => msg)).toContain('claiming webhook deliveries fails');
    expect(receiver.requests).toHaveLength(1);
  });

  test('never rejects when the database is closed under it, and says so once', async () => {
    const own = openDatabase(outbox.url, 2, () => undefined);
    await own.close();
    const dispatcher = start({ pool: own.pool });
    for (let round = 0; round < 5; round++) await dispatcher.pump();
    expect(dispatchers.kept.lines.map(({ msg }) => msg)).toEqual(['claiming webhook deliveries fails']);
  });
});
