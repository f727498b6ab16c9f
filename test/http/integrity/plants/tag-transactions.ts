import type { Plant } from './plant.ts';
import { newest, WALLET } from './rows.ts';

const one = (status: string): string =>
  `(select max(id::text)::uuid from tag_transactions.tag_transaction where status = '${status}' and hold_id is not null)`;
const changed = (set: string, status: string): string =>
  `update tag_transactions.tag_transaction set ${set} where id = ${one(status)} returning id`;

export const tagTransactionPlants: readonly Plant[] = [
  {
    what: 'an accepted transaction that says it was rejected',
    statement: changed(`status = 'REJECTED', accepted_at = null, rejected_at = now()`, 'ACCEPTED'),
    seenBy: [
      'switch_postings_have_their_transaction',
      'tag_transactions_are_their_money',
      'tag_transactions_are_told_once',
    ],
  },
  {
    what: 'a rejected transaction that says it was cancelled',
    statement: changed(`status = 'CANCELLED', rejected_at = null`, 'REJECTED'),
    seenBy: ['tag_transactions_are_told_once'],
  },
  {
    what: 'a waiting transaction of another amount',
    statement: changed('amount = amount + 1', 'AWAITING_ACCEPTANCE'),
    seenBy: ['tag_transaction_events_say_what_happened', 'tag_transactions_are_their_money'],
  },
  {
    what: 'an accepted transaction with another fee',
    statement: changed('fee = fee + 1', 'ACCEPTED'),
    seenBy: ['tag_transaction_events_say_what_happened', 'tag_transactions_are_their_money'],
  },
  {
    what: 'an accepted transaction without its posting',
    statement: changed('posting_id = null', 'ACCEPTED'),
    seenBy: ['switch_postings_have_their_transaction', 'tag_transactions_are_their_money'],
  },
  {
    what: 'a transaction between other applications',
    statement: changed('sender_app_id = receiver_app_id, receiver_app_id = sender_app_id', 'CANCELLED'),
    seenBy: [
      'tag_transaction_events_say_what_happened',
      'tag_transactions_are_their_money',
      'tag_transactions_are_told_once',
    ],
  },
  {
    what: 'money that reached a PayTag’s customer and was given to another, event included',
    statement: `
      with t as (select * from ledger.transaction where id = ${newest('SWITCH')}),
        w as (select a.* from ledger.account a, t where a.kind = 'WALLET' and a.id <> t.destination_id and a.partner_id =
                (select d.partner_id from ledger.account d where d.id = t.destination_id) order by a.id limit 1),
        e as (
          update ledger.entry e set account_id = w.id, version = w.version + 1, opening = w.posted, closing = w.posted + e.amount
            from w, t where e.transaction_id = t.id and e.account_id = t.destination_id returning e.*),
        rerouted as (update ledger.transaction x set destination_id = w.id from w, t where x.id = t.id),
        emptied as (update ledger.account a set posted = a.posted - e.amount, version = a.version - 1 from e, t where a.id = t.destination_id),
        filled as (update ledger.account a set posted = e.closing, version = e.version from e where a.id = e.account_id)
      update outbox.event v set reference = w.reference, sequence = e.version from w, e, t, ledger.account d
        where d.id = t.destination_id and v.reference = d.reference and v.event = 'wallet.credited' returning v.id as event_id`,
    seenBy: ['events_say_what_was_posted'],
  },
  {
    what: 'money set aside for nothing',
    statement: `
      with h as (
        insert into ledger.hold (owner_id, reference, request_hash, account_id, amount, state, counted, held_day, expires_at, created_at)
          select uuidv7(), 'for nothing', sha256('x'), ${WALLET}, 5, 'OPEN', false, ledger.business_day(now()), now() + interval '1 hour', now()
          returning *)
      update ledger.account a set suspended = suspended + 5 from h where a.id = h.account_id returning h.id as hold_id`,
    seenBy: ['holds_have_their_transaction'],
  },
  {
    what: 'a step that was not told',
    statement: `
      with gone as (delete from outbox.event where event = 'TRANSACTION_REJECTED' returning *),
        undelivered as (delete from webhooks.delivery where event_id in (select id from gone))
      select subject_id as id, event, '0' as events from gone`,
    seenBy: ['tag_transactions_are_told_once'],
  },
  {
    what: 'an event of a transaction that says another amount',
    statement: `
      update outbox.event set body = replace(body, '"amount":', '"amount":1') where event = 'TRANSACTION_REJECTED' returning id as event_id`,
    seenBy: ['tag_transaction_events_say_what_happened'],
  },
];
