import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { retention } from '#modules/webhooks';
import { useOutbox } from '../../support/outbox.ts';

const outbox = useOutbox();
const DAY_MS = 24 * 60 * 60 * 1000;
const DUE = 10;
/** More than one statement looks at. */
const PASSED_OVER = 5_001;

const webhooks = { retentionD: 30, failedRetentionD: 365, pendingRetentionD: 90, deliveryRetentionD: 365 };
/** A process of its own, with what it remembers. */
const aProcess = () => ({ ...outbox, db: Object.create(outbox.db), log: pino({ level: 'silent' }), webhooks });

/** What a run of the worker does of one step, until it says that this is all. @returns how many events went in each batch */
async function run(what: 'delivered' | 'failed', deps: ReturnType<typeof aProcess>, inDays = 0): Promise<number[]> {
  const forget = retention.find(({ table }) => table === 'webhooks.attempt')?.forget?.[what];
  if (forget === undefined) throw new Error(`no step forgets what was ${what}`);
  const rows: number[] = [];
  for (let isAll = false; !isAll; ) {
    const forgotten = await forget(deps, new Date(Date.now() + inDays * DAY_MS));
    rows.push(forgotten.rows);
    ({ isAll } = forgotten);
    expect(rows.length).toBeLessThan(10);
  }
  return rows;
}

/** Events of one receiver, whose deliveries ended so, a millisecond after each other, so many days ago. */
async function ended(count: number, status: string, daysAgo: number): Promise<void> {
  await outbox.pool.query(
    `with receiver as (
       insert into outbox.receiver (owner_id, owner_kind, client_id_sealed, secret_sealed, url)
       values (gen_random_uuid(), 'PARTNER', '', '', 'https://shop.example/hook') returning id)
     insert into outbox.event (receiver_id, event, reference, body)
     select id, 'wallet.credited', n, '{}' from receiver, generate_series(1, $1) n`,
    [count],
  );
  await outbox.pool.query(
    `with made as (select d.id, now() - make_interval(days => $2) + e.reference::int * interval '1 millisecond' as at
       from webhooks.delivery d join outbox.event e on e.id = d.event_id where d.status = 'PENDING')
     update webhooks.delivery d set id = uuidv7(at - now() - interval '1 day'), status = $1, due_at = null, attempts = 1,
            delivered_at = case when $1 = 'DELIVERED' then at end, updated_at = at
       from made where d.id = made.id`,
    [status, daysAgo],
  );
}

/** Of every event there is: another endpoint's delivery, which ended so, so many days ago. */
const alsoEnded = (status: string, daysAgo: number) =>
  outbox.pool.query(
    `insert into webhooks.delivery (id, event_id, receiver_id, status, attempts, delivered_at, created_at, updated_at)
     select uuidv7(make_interval(days => -$2::int)), event_id, gen_random_uuid(), $1, 1,
            case when $1 = 'DELIVERED' then now() - make_interval(days => $2) end, created_at, now() - make_interval(days => $2)
       from webhooks.delivery`,
    [status, daysAgo],
  );

beforeEach(() => outbox.pool.query('truncate outbox.receiver cascade'));

describe('more than one statement looks at, which may not go yet,', () => {
  it('keep what failed behind them no longer than it may be kept, and are looked at again a day later', async () => {
    await ended(PASSED_OVER, 'FAILED', 370);
    await alsoEnded('DELIVERED', 280);
    await ended(DUE, 'FAILED', 368);
    const process = aProcess();
    expect(await run('failed', process)).toEqual([0, DUE]);
    expect(await run('failed', process, 0.5)).toEqual([0]);

    await outbox.pool.query(`delete from webhooks.delivery where status = 'DELIVERED' and event_id in
      (select event_id from webhooks.delivery where status = 'FAILED' order by id limit ${DUE})`);
    expect(await run('failed', process, 0.5)).toEqual([0]);
    expect(await run('failed', process, 1.1)).toEqual([DUE, 0]);
  });

  it('keep what was delivered behind them no longer than it may be kept', async () => {
    await ended(PASSED_OVER, 'DELIVERED', 35);
    await alsoEnded('FAILED', 33);
    await ended(DUE, 'DELIVERED', 32);
    expect(await run('delivered', aProcess())).toEqual([0, DUE]);
  });

  it('hold up nothing that failed where they were made long ago and ended late', async () => {
    await ended(PASSED_OVER, 'FAILED', 400);
    await outbox.pool.query(`update webhooks.delivery set updated_at = now() - interval '100 days'`);
    await ended(DUE, 'FAILED', 368);
    expect((await run('failed', aProcess())).reduce((sum, rows) => sum + rows)).toBe(DUE);
  });
});
