import type { Plant } from './plant.ts';
import { FLOAT, newest, ours, WALLET } from './rows.ts';

/** A posting of a kobo from a float to a wallet, as somebody writes it who knows the tables. */
const PLAIN_INSERTS = `
  with f as (select * from ledger.account where id = ${FLOAT}),
    w as (select * from ledger.account a where a.kind = 'WALLET' and a.currency = (select currency from f)
            and a.partner_id = (select partner_id from f) and a.status = 'Enabled' order by a.id desc limit 1),
    t as (
      insert into ledger.transaction (owner_id, namer, mac, reference, partner_id, type, status, request_hash, amount, currency,
          source_id, destination_id, created_at, completed_at)
        select f.partner_id, 'PARTNER', sha256('no key'), 'by-hand', f.partner_id, 'PARTNER_WALLET_CREDIT', 'Successful', sha256('by hand'), 1, f.currency,
          f.id, w.id, now(), now() from f, w returning *),
    e as (
      insert into ledger.entry (transaction_id, leg, account_id, amount, version, opening, closing, business_date, created_at)
        select t.id, l.leg, l.id, l.amount, l.version + 1, l.posted, l.posted + l.amount, (now() at time zone 'Africa/Lagos')::date, now()
          from t, (select 1 as leg, id, -1 as amount, version, posted from f
                   union all select 2, id, 1, version, posted from w) l returning *)`;

export const balancePlants: readonly Plant[] = [
  {
    what: 'a leg that belongs to another transaction',
    statement: `
      with target as (select min(id) as id from ledger.transaction where type = 'PARTNER_WALLET_CREDIT' and status = 'Successful'),
        moved as (
          update ledger.entry e set transaction_id = target.id, leg = 99 from target
            where e.transaction_id = ${newest('PARTNER_WALLET_CREDIT')} and e.account_id = ${ours('FEE')} returning 1)
      select ${newest('PARTNER_WALLET_CREDIT')} as transaction_id from moved union all select id from target`,
    seenBy: ['entries_have_the_time_of_their_transaction', 'transactions_are_their_entries', 'transactions_balance'],
  },
  {
    what: 'money that came from nowhere',
    statement: `update ledger.account set posted = posted + 1 where id = ${ours('CLEARING')} returning currency`,
    seenBy: ['books_sum_to_zero', 'deferred_balances_are_their_entries'],
  },
  {
    what: 'money that went from a float to a wallet without an entry',
    statement: `
      update ledger.account set posted = posted + case when id = ${FLOAT} then -7 else 7 end
        where id in (${FLOAT}, ${WALLET}) returning id`,
    seenBy: ['balances_are_their_entries'],
  },
  {
    what: 'a balance that skipped a version',
    statement: `update ledger.account set version = version + 1 where id = ${WALLET} returning id, posted`,
    seenBy: ['balances_are_their_entries'],
  },
  {
    what: 'a movement of our own accounts that nobody posted',
    statement: `
      insert into ledger.deferred_delta (account_id, amount) values (${ours('FEE')}, 3), (${ours('COMMISSION')}, -3)
        returning account_id as id`,
    seenBy: ['deferred_balances_are_their_entries'],
  },
  {
    what: 'an entry with the wrong balances',
    statement: `
      update ledger.entry e set opening = opening + 5, closing = closing + 5
        from ledger.account a where a.id = ${WALLET} and e.account_id = a.id and e.version = a.version
        returning e.transaction_id, e.leg, e.account_id`,
    seenBy: ['balances_are_their_entries', 'events_say_what_was_posted', 'histories_are_unbroken'],
  },
  {
    what: 'a balanced posting by plain inserts, with all triggers on',
    triggers: 'on',
    statement: `${PLAIN_INSERTS} select account_id, version, '1' as entries, '0' as events from e where leg = 2`,
    seenBy: ['balances_are_their_entries', 'every_movement_is_told_once'],
  },
  {
    what: 'a balanced posting by plain inserts that moves the balances too, with all triggers on',
    triggers: 'on',
    statement: `${PLAIN_INSERTS},
      moved as (update ledger.account a set posted = e.closing, version = e.version from e where a.id = e.account_id)
      select account_id, version, '1' as entries, '0' as events from e where leg = 2`,
    seenBy: ['every_movement_is_told_once'],
  },
  {
    what: 'a transaction of which every row is erased, but for its event',
    statement: `
      with gone as (delete from ledger.entry where transaction_id = ${newest('PARTNER_WALLET_CREDIT')} returning *),
        erased as (delete from ledger.transaction where id = ${newest('PARTNER_WALLET_CREDIT')})
      select account_id as id from gone where version is not null`,
    seenBy: ['balances_are_their_entries', 'deferred_balances_are_their_entries', 'every_movement_is_told_once'],
  },
  {
    what: 'a transaction that is erased with its events and deliveries, from the middle of a history',
    statement: `
      with lunch as (select id from ledger.transaction where external_reference = 'lunch' order by id limit 1),
        gone as (delete from ledger.entry where transaction_id = (select id from lunch) returning *),
        erased as (delete from ledger.transaction where id = (select id from lunch)),
        untold as (
          delete from outbox.event v using gone g join ledger.account a on a.id = g.account_id and a.kind = 'WALLET'
            where v.reference = a.reference and v.sequence = g.version returning v.id),
        undelivered as (delete from webhooks.delivery where event_id in (select id from untold))
      select account_id, version + 1 as version from gone where version is not null`,
    seenBy: ['deferred_balances_are_their_entries', 'histories_are_unbroken', 'spending_is_what_was_spent'],
  },
];
