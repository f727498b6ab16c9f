import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { emit, readReceiver } from '#modules/outbox';
import {
  claimDeliveries,
  getDelivery,
  listDeliveries,
  recordAttempts,
  resendDelivery,
  setWebhookUrl,
} from '#modules/webhooks';
import { eventually } from '../../support/eventually.ts';
import { useOutbox } from '../../support/outbox.ts';

const TARGET = 'https://partner.example/hook';
const outbox = useOutbox();

beforeEach(() => outbox.pool.query('truncate outbox.receiver cascade'));

const resend = (deliveryId: string) => resendDelivery(outbox, { actor: 'test', deliveryId });
const list = (given: Partial<Parameters<typeof listDeliveries>[1]> = {}) =>
  listDeliveries(outbox.db, { limit: 100, offset: 0, ...given });
const claimAll = () =>
  claimDeliveries(outbox.pool, { limit: 100, perReceiver: 100, inFlight: new Map(), leaseMs: 30_000 });

/** Claims all that is due, and records each as `status`. */
async function deliverAll(status: 'DELIVERED' | 'FAILED') {
  const error = status === 'FAILED' ? 'status 500' : null;
  const ended = { status, retryInMs: null, statusCode: 500, durationMs: 1, error, response: null };
  const { claimed } = await claimAll();
  await recordAttempts(
    outbox.pool,
    claimed.map(({ deliveryId, number }) => ({ deliveryId, number, ...ended })),
  );
}

describe('the list of deliveries', () => {
  test('is filtered by owner, event and status, newest first, and counts all that match', async () => {
    const partner = await outbox.newReceiver(TARGET);
    const other = await outbox.newReceiver(TARGET);
    const application = await outbox.newReceiver(TARGET, 'APPLICATION');
    const references = await outbox.emitTo(partner, 3, 'wallet.credited');
    await deliverAll('DELIVERED');
    await outbox.emitTo(partner, 2, 'wallet.debited');
    await outbox.emitTo(other);
    await outbox.emitTo(application, 1, 'TRANSACTION_INITIATED');

    expect((await list()).count).toBe(7);
    const page = await list({ partnerId: partner.ownerId, event: 'wallet.credited', limit: 2, offset: 1 });
    expect(page.count).toBe(3);
    expect(page.items.map(({ reference }) => reference)).toEqual(references.toReversed().slice(1));
    expect((await list({ partnerId: partner.ownerId, status: 'PENDING' })).count).toBe(2);
    expect((await list({ applicationId: application.ownerId })).items).toMatchObject([
      { event: 'TRANSACTION_INITIATED', ownerKind: 'APPLICATION', ownerId: application.ownerId, attempts: 0 },
    ]);
    expect((await list({ applicationId: partner.ownerId })).count).toBe(0);
    expect(await list({ limit: 0 })).toMatchObject({ items: [], count: 7 });
  });

  test('of a partner with few reads few, however many others have, of whom many are estimated', async () => {
    const few = await outbox.newReceiver(TARGET);
    await outbox.emitTo(few, 3);
    const many = await outbox.newReceiver(TARGET);
    await outbox.pool.query(
      `select outbox.emit($1, 'wallet.credited', n::text, '{}') from generate_series(1, 10050) n`,
      [many.ownerId],
    );
    await outbox.pool.query('analyze webhooks.delivery, outbox.event, outbox.receiver');
    for (const filter of [{}, { event: 'wallet.credited', status: 'PENDING' }] as const) {
      const { count, countIsExact } = await list({ partnerId: many.ownerId, ...filter });
      expect([count > 9_000 && count < 11_000, countIsExact]).toEqual([true, false]);
    }
    await outbox.db.transaction(async (tx) => {
      const read = async () => {
        const { rows } = await tx.execute<{ rows: number }>(
          `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
            where schemaname in ('outbox', 'webhooks') and relname in ('delivery', 'event')`,
        );
        return rows[0]?.rows ?? 0;
      };
      const before = await read();
      const page = await listDeliveries(tx, { partnerId: few.ownerId, limit: 20, offset: 0 });
      expect(page).toMatchObject({ items: { length: 3 }, count: 3 });
      expect((await read()) - before).toBeLessThan(100);
    });
  });
});

describe('a resend', () => {
  test('is a new delivery of the same event, with attempts of its own, and leaves the first as it is', async () => {
    const partner = await outbox.newReceiver(TARGET);
    await outbox.emitTo(partner);
    await deliverAll('FAILED');
    const [failed] = (await list()).items;
    const { id } = await resend(failed?.id ?? '');
    expect((await list()).items).toMatchObject([
      { id, eventId: failed?.eventId, status: 'PENDING', attempts: 0 },
      { id: failed?.id, status: 'FAILED', attempts: 1 },
    ]);
    expect((await claimAll()).claimed).toMatchObject([{ deliveryId: id, eventId: failed?.eventId, number: 1 }]);
  });

  test('of an unknown delivery is refused, as is reading it', async () => {
    const unknown = randomUUID();
    const notFound = { code: 'DELIVERY_NOT_FOUND' };
    await expect(resend(unknown)).rejects.toMatchObject(notFound);
    await expect(getDelivery(outbox.db, unknown)).rejects.toMatchObject(notFound);
  });
});

describe('the URL of a receiver', () => {
  test('is read without the keys', async () => {
    const { ownerId, id } = await outbox.newReceiver(TARGET);
    const found = await readReceiver(outbox.db, ownerId);
    expect(found).toMatchObject({ id, ownerId, ownerKind: 'PARTNER', url: TARGET });
    expect(Object.keys(found ?? {}).filter((name) => name.endsWith('Sealed'))).toEqual([]);
    expect(await readReceiver(outbox.db, randomUUID())).toBeUndefined();
  });

  test('of an unknown owner is not set', async () => {
    const update = outbox.db.transaction((tx) => setWebhookUrl(tx, { ownerId: randomUUID(), url: TARGET }));
    await expect(update).rejects.toMatchObject({ code: 'RECEIVER_NOT_FOUND' });
  });

  test('taken away keeps what is pending; given again, it is sent there', async () => {
    const { ownerId, ...partner } = await outbox.newReceiver(TARGET);
    await outbox.emitTo({ ownerId, ...partner });
    await outbox.db.transaction((tx) => setWebhookUrl(tx, { ownerId, url: null }));
    await outbox.emitTo({ ownerId, ...partner });
    expect(await claimAll()).toEqual({ claimed: [], exhausted: [], dueInMs: null, parked: 0, mayBeMore: false });
    await outbox.db.transaction((tx) => setWebhookUrl(tx, { ownerId, url: `${TARGET}/new` }));
    const { claimed } = await claimAll();
    expect(claimed.map(({ receiver }) => receiver.url)).toEqual([`${TARGET}/new`, `${TARGET}/new`]);
  });

  test('given while an event is being written reaches that event too', async () => {
    const { ownerId } = await outbox.newReceiver(null);
    let given: Promise<unknown> = Promise.resolve();
    await outbox.db.transaction(async (tx) => {
      await emit(tx, { ownerId, event: 'wallet.credited', reference: 'kept', body: '{}' });
      given = outbox.db.transaction((other) => setWebhookUrl(other, { ownerId, url: TARGET }));
      await eventually(async () => {
        const { rows } = await outbox.pool.query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        expect(rows).toHaveLength(1);
      });
    });
    await given;
    expect((await claimAll()).claimed).toHaveLength(1);
  });
});
