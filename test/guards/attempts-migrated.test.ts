import { afterAll, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import { everything } from '#lib/invariant.ts';
import { claimDeliveries, getDelivery, invariants } from '#modules/webhooks';
import { migrateDatabase } from '../../src/migrate.ts';
import { databaseOf010 } from '../support/released-database.ts';

let handle: DatabaseHandle | undefined;
afterAll(() => handle?.close());

it('deliveries of 0.1.0 keep every attempt, and what was in flight is claimed again when its lease is over', async () => {
  const url = await databaseOf010();
  const { db, pool } = (handle = openDatabase(url, 2, () => undefined));
  const inserted = async (into: string, values: unknown[]): Promise<string> => {
    const places = values.map((_, index) => `$${index + 1}`).join(', ');
    const { rows } = await pool.query<{ id: string }>(`insert into ${into} values (${places}) returning id`, values);
    return rows[0]?.id ?? '';
  };
  const receiver = await inserted('outbox.receiver (owner_id, owner_kind, url, client_id_sealed, secret_sealed)', [
    '00000000-0000-4000-8000-000000000001',
    'PARTNER',
    'https://partner.example/hook',
    'sealed',
    'sealed',
  ]);
  /** An event whose delivery has come so far, with its attempts as [status code, error]; those without either are under way. */
  async function delivery(ended: string, attempts: [number | null, string | null][]): Promise<string> {
    const event = await inserted('outbox.event (receiver_id, event, reference, body)', [receiver, 'e', 'r', '{}']);
    const { rows } = await pool.query<{ id: string }>(
      `update webhooks.delivery set ${ended}, attempts = $2, last_attempt_at = $3 where event_id = $1 returning id`,
      [event, attempts.length, attempts.length === 0 ? null : new Date(attempts.length)],
    );
    const id = rows[0]?.id ?? '';
    for (const [index, [status, error]] of attempts.entries()) {
      await pool.query(
        `insert into webhooks.attempt (delivery_id, number, at, status_code, duration_ms, error, response)
         values ($1, $2, $3, $4, case when $4::int is not null then 7 end, $5, convert_to($5, 'UTF8'))`,
        [id, index + 1, new Date(index + 1), status, error],
      );
    }
    return id;
  }
  const leaseMs = 3_600_000;
  const failing: [number, string] = [503, 'status 503'];
  const waiting = await delivery('due_at = now()', []);
  const delivered = await delivery(`status = 'DELIVERED', delivered_at = now()`, [failing, [200, null]]);
  const failed = await delivery(`status = 'FAILED', last_error = 'interrupted'`, [
    ...Array.from({ length: 4 }, () => failing),
    [null, 'interrupted'],
  ]);
  const inFlight = await delivery(`due_at = now() + interval '${leaseMs} milliseconds'`, [failing, [null, null]]);
  const before = await pool.query('select * from webhooks.attempt order by delivery_id, number');
  await migrateDatabase(url);

  const after = [];
  for (const deliveryId of [waiting, delivered, failed, inFlight]) {
    const { history, attempts } = await getDelivery(db, deliveryId);
    expect(history).toHaveLength(attempts);
    for (const { number, at, statusCode, durationMs, error, response } of history) {
      after.push({
        delivery_id: deliveryId,
        number,
        at,
        status_code: statusCode,
        duration_ms: durationMs,
        error,
        response: response === null ? null : Buffer.from(response),
      });
    }
  }
  expect(after).toEqual(before.rows);
  for (const invariant of invariants) {
    const { rows } = await pool.query('offenders' in invariant ? invariant.offenders(everything) : '');
    expect({ [invariant.name]: rows }).toEqual({ [invariant.name]: [] });
  }

  const claimAt = (now: Date) =>
    claimDeliveries(pool, { limit: 9, perReceiver: 9, inFlight: new Map(), leaseMs: 1, now });
  expect((await claimAt(new Date())).claimed).toMatchObject([{ deliveryId: waiting, number: 1 }]);
  const later = await claimAt(new Date(Date.now() + 2 * leaseMs));
  expect(later.claimed).toContainEqual(expect.objectContaining({ deliveryId: inFlight, number: 3 }));
  expect((await getDelivery(db, inFlight)).history).toMatchObject([
    { number: 1, error: 'status 503' },
    { number: 2, error: 'interrupted' },
    { number: 3, error: null },
  ]);
});
