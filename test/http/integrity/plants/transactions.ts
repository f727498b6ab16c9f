import type { Plant } from './plant.ts';
import { named, newest, ours } from './rows.ts';

const CREDIT = newest('PARTNER_WALLET_CREDIT');
/** With comment, external reference and an event that says both. */
const SALARY = named('salary');
const changed = (set: string, id: string, returning = 'id'): string =>
  `update ledger.transaction set ${set} where id = ${id} returning ${returning}`;

export const transactionPlants: readonly Plant[] = [
  {
    what: 'a fee of an entry that was not charged',
    statement: `update ledger.entry set fee = fee + 1 where transaction_id = ${CREDIT} and leg = 1 returning transaction_id as id`,
    seenBy: ['transactions_are_their_entries'],
  },
  {
    what: 'an entry on another day',
    statement: `update ledger.entry set business_date = business_date + 1 where transaction_id = ${CREDIT} returning transaction_id, leg`,
    seenBy: ['entries_have_the_time_of_their_transaction'],
  },
  {
    what: 'an entry at another time',
    statement: `
      update ledger.entry set created_at = created_at + interval '1 day', business_date = business_date + 1
        where transaction_id = ${CREDIT} and leg = 2 returning transaction_id, leg`,
    seenBy: ['entries_have_the_time_of_their_transaction', 'events_say_what_was_posted', 'nothing_is_dated_ahead'],
  },
  {
    what: 'another amount of a transaction',
    statement: changed('amount = amount + 1', SALARY),
    seenBy: ['events_say_what_was_posted', 'transactions_are_their_entries'],
  },
  {
    what: 'another fee of a transaction',
    statement: changed('fee = fee + 1', CREDIT),
    seenBy: ['events_say_what_was_posted', 'transactions_are_their_entries'],
  },
  {
    what: 'another commission',
    statement: changed('commission = commission + 1, fee = fee - 1', newest('PARTNER_GATEWAY')),
    seenBy: ['events_say_what_was_posted', 'payment_events_say_what_was_posted', 'transactions_are_their_entries'],
  },
  {
    what: 'another stamp duty',
    statement: changed('stamp_duty = stamp_duty + 1', newest('TRANSFER')),
    seenBy: ['transactions_are_their_entries'],
  },
  {
    what: 'another reference of a credit',
    statement: changed(`reference = 'another'`, SALARY, 'id as transaction_id'),
    seenBy: ['events_say_what_was_posted'],
  },
  {
    what: 'another reference of a payment',
    statement: changed(`reference = 'another'`, newest('PARTNER_GATEWAY'), 'id as transaction_id, reference'),
    seenBy: ['events_say_what_was_posted', 'payments_are_audited', 'payments_are_told_once'],
  },
  {
    what: 'another reference of a funding',
    statement: changed(`reference = 'another'`, newest('FLOAT_FUNDING'), 'id as transaction_id'),
    seenBy: ['float_movements_are_audited'],
  },
  {
    what: 'another external reference',
    statement: changed(`external_reference = 'another'`, SALARY, 'id as transaction_id'),
    seenBy: ['events_say_what_was_posted'],
  },
  {
    what: 'another comment',
    statement: changed(`comment = 'another'`, SALARY, 'id as transaction_id'),
    seenBy: ['events_say_what_was_posted'],
  },
  {
    what: 'another source',
    statement: changed(
      `source_id = (select max(id) from ledger.account where kind = 'WALLET' and id <> source_id and id <> destination_id)`,
      newest('TRANSFER'),
    ),
    seenBy: [
      'events_say_what_was_posted',
      'spending_is_what_was_spent',
      'transactions_are_their_entries',
      'transactions_say_where_money_went',
    ],
  },
  {
    what: 'another destination, in the book of another partner',
    statement: changed(`partner_id = (select p.id from partners.partner p where p.id <> partner_id limit 1)`, CREDIT),
    seenBy: ['events_say_what_was_posted', 'transactions_say_where_money_went'],
  },
  {
    what: 'a transaction that no request asked for',
    statement: changed(`request_hash = '\\x00'`, CREDIT),
    seenBy: ['transactions_say_where_money_went'],
  },
  {
    what: 'a refused transaction that moved money',
    statement: changed(`status = 'Failed', code = 'WALLET_PND'`, CREDIT, 'id, status'),
    seenBy: ['refused_transactions_moved_nothing'],
  },
  {
    what: 'a refused transaction that was carried out later',
    triggers: 'on',
    statement: `
      with t as (
        update ledger.transaction set status = 'Successful', code = null, completed_at = now() where id = ${named('not-now')} returning *),
      written as (
        select t.id, ledger.write_legs(t, jsonb_build_array(
            jsonb_build_object('account', t.source_id, 'amount', -t.amount - t.fee, 'fee', t.fee),
            jsonb_build_object('account', t.destination_id, 'amount', t.amount),
            jsonb_build_object('account', ${ours('FEE')}, 'amount', t.fee)), 1, now()) from t)
      select id as transaction_id from written`,
    seenBy: ['entries_have_the_time_of_their_transaction'],
  },
  {
    what: 'a refused transaction that was carried out later, and dated as it was',
    triggers: 'on',
    statement: `
      with t as (
        update ledger.transaction set status = 'Successful', code = null, completed_at = created_at where id = ${named('not-now')} returning *),
      written as (
        select t.id, ledger.write_legs(t, jsonb_build_array(
            jsonb_build_object('account', t.source_id, 'amount', -t.amount - t.fee, 'fee', t.fee),
            jsonb_build_object('account', t.destination_id, 'amount', t.amount),
            jsonb_build_object('account', ${ours('FEE')}, 'amount', t.fee)), 1, t.created_at) from t)
      select id as transaction_id from written`,
    seenBy: ['histories_run_forwards'],
  },
  {
    what: 'a transaction of tomorrow',
    statement: changed(`created_at = created_at + interval '1 day'`, named('not-now')),
    seenBy: ['nothing_is_dated_ahead'],
  },
  {
    what: 'a successful transaction that moved nothing',
    statement: `
      update ledger.transaction set status = 'Successful', code = null
        where id = (select max(id) from ledger.transaction where status = 'Failed' and type = 'PARTNER_WALLET_DEBIT') returning id, status`,
    seenBy: ['refused_transactions_moved_nothing'],
  },
  {
    what: 'a refund that nobody made',
    statement: changed('refunded = 1', CREDIT, 'id, refunded'),
    seenBy: ['refunds_are_counted'],
    missedByDay: ['refunds_are_counted'],
  },
  {
    what: 'a transaction reversed before all of it went back',
    statement: changed(`status = 'Reversed'`, CREDIT, 'id, status'),
    seenBy: ['refunds_are_counted'],
    missedByDay: ['refunds_are_counted'],
  },
  {
    what: 'a refund unhooked, so that the original can be refunded again',
    statement: `
      with original as (update ledger.transaction set refunded = 0, status = 'Successful' where id = ${named('rent')})
      update ledger.transaction set original_id = null where id = ${named('rent-back')} returning id, original_id`,
    seenBy: ['refunds_go_back_the_way'],
  },
  {
    what: 'a refund hooked to another transaction',
    statement: changed(`original_id = ${named('fuel')}`, named('food-back')),
    seenBy: ['refunds_are_counted', 'refunds_name_their_original'],
  },
  {
    what: 'a refund that names another original',
    statement: changed(`external_reference = 'another'`, named('food-back')),
    seenBy: ['events_say_what_was_posted', 'refunds_name_their_original'],
  },
  {
    what: 'a reversal that left a fee behind',
    statement: changed(`type = 'REVERSAL'`, named('rent-back')),
    seenBy: ['reversals_of_rails_are_of_payouts', 'reversals_undo_their_original'],
  },
  {
    what: 'a pending refund that was settled without money',
    statement: `
      update ledger.transaction set status = 'Successful', completed_at = now() where id = ${named('waits')} and status = 'Pending'
        returning id`,
    seenBy: ['resolutions_are_audited', 'suspense_is_what_waits', 'transactions_are_their_entries'],
  },
];
