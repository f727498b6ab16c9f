import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import { checkIntegrity } from '#modules/ledger';
import { invariants } from '../../../src/modules/ledger/invariants.ts';
import { copyDatabase, useDatabase } from '../../support/database.ts';
import { keepBusy } from './busy-ledger.ts';

const database = useDatabase();
beforeAll(async () => {
  const handle = openDatabase(database.url, 4, () => {});
  await keepBusy(handle.db);
  await handle.close();
});

async function check(url: string) {
  const handle = openDatabase(url, 1, () => {});
  try {
    return await checkIntegrity(handle.db);
  } finally {
    await handle.close();
  }
}

/** Does to a copy of the books what no operation of ours can do. Answers the rows that the last statement returns. */
async function corrupt(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query('alter table ledger.account drop constraint account_floor, drop constraint account_holds');
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const WALLET = `(select max(id) from ledger.account where kind = 'WALLET' and posted - suspended > 100)`;
const FLOAT = `(select max(id) from ledger.account where kind = 'FLOAT' and posted > 100)`;
const someAccount = (kind: string) => `(select id from ledger.account where kind = '${kind}' and currency = 'NGN')`;
const ORDINARY = `(select max(id) from ledger.transaction t where status = 'Successful' and original_id is null and refunded = 0
  and amount > 1 and not exists (select 1 from ledger.transaction r where r.original_id = t.id))`;
const LAST_TOLD = `(select v.id from outbox.event v where v.event = 'wallet.credited' order by v.id desc limit 1)`;
const ENTRY_OF_LAST_TOLD = `
  from outbox.event v join ledger.account a on a.reference = v.reference
    join ledger.entry e on e.account_id = a.id and e.version = v.sequence where v.id = ${LAST_TOLD}`;

/** What is done to the books, returning the rows that must be named; and the invariants that see it. */
const plants: readonly { what: string; statement: string; seenBy: readonly string[] }[] = [
  {
    what: 'a leg that belongs to another transaction',
    statement: `
      with moved as (
        update ledger.entry e set transaction_id = (select min(id) from ledger.transaction where status = 'Successful'), leg = 99
          where transaction_id = ${ORDINARY} and leg = 1 returning 1)
      select ${ORDINARY} as transaction_id from moved
        union all select min(id) from ledger.transaction where status = 'Successful'`,
    seenBy: ['transactions_balance'],
  },
  {
    what: 'money that came from nowhere',
    statement: `update ledger.account set posted = posted + 1 where id = ${someAccount('CLEARING')} returning currency`,
    seenBy: ['books_sum_to_zero', 'deferred_balances_are_their_entries'],
  },
  {
    what: 'money that went from one wallet to another without an entry',
    statement: `
      update ledger.account set posted = posted + case when id = ${FLOAT} then 7 else -7 end
        where id in (${FLOAT}, ${WALLET}) returning id`,
    seenBy: ['balances_are_their_entries'],
  },
  {
    what: 'a balance that skipped a version',
    statement: `update ledger.account set version = version + 1 where id = ${WALLET} returning id, posted`,
    seenBy: ['balances_are_their_entries'],
  },
  {
    what: 'a movement of deferred accounts that nobody posted',
    statement: `
      insert into ledger.deferred_delta (account_id, amount) values (${someAccount('FEE')}, 3), (${someAccount('COMMISSION')}, -3)
        returning account_id as id`,
    seenBy: ['deferred_balances_are_their_entries'],
  },
  {
    what: 'an entry with the wrong balances',
    statement: `
      update ledger.entry e set opening = opening + 5, closing = closing + 5
        from ledger.account a where a.id = ${WALLET} and e.account_id = a.id and e.version = a.version
        returning e.transaction_id, e.leg, e.account_id`,
    seenBy: ['histories_are_unbroken'],
  },
  {
    what: 'a balance below its floor',
    statement: `update ledger.account set floor = posted - suspended + 1 where id = ${WALLET} returning id`,
    seenBy: ['floors_hold'],
  },
  {
    what: 'money set aside without a hold',
    statement: `update ledger.account set suspended = suspended + 1 where id = ${WALLET} returning id`,
    seenBy: ['suspended_is_what_is_held'],
  },
  {
    what: 'a hold that was closed without giving back',
    statement: `
      update ledger.hold set state = 'RELEASED', closed_at = now() where id = (select min(id) from ledger.hold where state = 'OPEN')
        returning account_id as id`,
    seenBy: ['suspended_is_what_is_held'],
  },
  {
    what: 'a lien that was lifted on paper alone',
    statement: `
      update ledger.lien set lifted_at = now() where id = (select min(id) from ledger.lien where lifted_at is null)
        returning account_id as id`,
    seenBy: ['liens_are_those_in_force'],
  },
  {
    what: 'a refused transaction that moved money',
    statement: `update ledger.transaction set status = 'Failed', code = 'WALLET_PND' where id = ${ORDINARY} returning id, status`,
    seenBy: ['refused_transactions_moved_nothing'],
  },
  {
    what: 'a successful transaction that moved nothing',
    statement: `
      update ledger.transaction set status = 'Successful', code = null
        where id = (select max(id) from ledger.transaction where status = 'Failed' and original_id is null) returning id, status`,
    seenBy: ['refused_transactions_moved_nothing'],
  },
  {
    what: 'a refund that nobody made',
    statement: `update ledger.transaction set refunded = 1 where id = ${ORDINARY} returning id, refunded`,
    seenBy: ['refunds_are_counted'],
  },
  {
    what: 'a transaction reversed before all of it went back',
    statement: `update ledger.transaction set status = 'Reversed' where id = ${ORDINARY} returning id, status`,
    seenBy: ['refunds_are_counted'],
  },
  {
    what: 'a pending refund that was settled without money',
    statement: `
      with settled as (update ledger.transaction set status = 'Successful' where status = 'Pending' returning 1)
      select ${someAccount('SUSPENSE')} as id from settled`,
    seenBy: ['suspense_is_what_waits'],
  },
  {
    what: 'a movement that was not told',
    statement: `
      with e as (select e.transaction_id, e.leg, e.account_id ${ENTRY_OF_LAST_TOLD}),
        gone as (delete from outbox.event where id = ${LAST_TOLD})
      select e.*, '0' as events from e`,
    seenBy: ['every_movement_is_told_once'],
  },
  {
    what: 'a movement that was told twice',
    statement: `
      with again as (
        insert into outbox.event (receiver_id, event, reference, body, sequence)
          select receiver_id, event, reference, body, sequence from outbox.event where id = ${LAST_TOLD})
      select e.transaction_id, e.leg, e.account_id, '2' as events ${ENTRY_OF_LAST_TOLD}`,
    seenBy: ['every_movement_is_told_once'],
  },
  {
    what: 'a credit that was told as a debit',
    statement: `
      with wrong as (update outbox.event set event = 'wallet.debited' where id = ${LAST_TOLD})
      select e.transaction_id, e.leg, e.account_id, '0' as events ${ENTRY_OF_LAST_TOLD}`,
    seenBy: ['every_movement_is_told_once'],
  },
  {
    what: 'a movement that was told and never happened',
    statement: `
      insert into outbox.event (receiver_id, event, reference, body, sequence)
        select receiver_id, event, reference, body, 4711 from outbox.event where id = ${LAST_TOLD}
        returning null as transaction_id, sequence as events`,
    seenBy: ['every_movement_is_told_once'],
  },
];

describe('the check of the books', () => {
  it('finds nothing in books that were kept busy', async () => {
    const { ok, checks } = await check(database.url);
    expect(checks).toEqual(invariants.map(({ name }) => ({ name, violations: 0, rows: [] })));
    expect(ok).toBe(true);
  });

  it.each(plants)('finds $what, and names it', async ({ statement, seenBy }) => {
    const url = await copyDatabase(database.url);
    const planted = await corrupt(url, statement);
    expect(planted.length).toBeGreaterThan(0);
    const { ok, checks } = await check(url);
    expect(ok).toBe(false);
    expect(checks.filter(({ violations }) => violations > 0).map(({ name }) => name)).toEqual(seenBy);
    const [first] = checks.filter(({ violations }) => violations > 0);
    expect(first).toMatchObject({ violations: planted.length });
    expect(first?.rows).toEqual(expect.arrayContaining(planted.map((row) => expect.objectContaining(row))));
  });

  it('has something planted for each invariant', () => {
    const seen = new Set(plants.flatMap(({ seenBy }) => seenBy));
    expect(invariants.map(({ name }) => name).filter((name) => !seen.has(name))).toEqual([]);
  });
});
