import { FLOAT, named, newest, ours, type Plant, WALLET } from './plant.ts';

const disabled = (relation: string, trigger: string): string => `
  alter table ${relation} disable trigger ${trigger}; select '${trigger}' as trigger, 'D' as state`;

export const accountPlants: readonly Plant[] = [
  {
    what: 'a floor above the balance',
    statement: `
      alter table ledger.account drop constraint account_floor;
      update ledger.account set floor = posted - suspended + 1 where id = ${WALLET} returning id, floor`,
    seenBy: ['accounts_are_as_their_kind', 'floors_hold'],
  },
  {
    what: 'a floor removed',
    statement: `update ledger.account set floor = null where id = ${WALLET} returning id, floor`,
    seenBy: ['accounts_are_as_their_kind'],
  },
  {
    what: 'the events of a wallet turned off',
    statement: `update ledger.account set emits = false where id = ${WALLET} returning id, emits`,
    seenBy: ['accounts_are_as_their_kind'],
  },
  {
    what: 'a float that is blocked',
    statement: `update ledger.account set status = 'Blocked' where id = ${FLOAT} returning id, status`,
    seenBy: ['only_wallets_are_restricted'],
  },
  {
    what: 'another account for what we earn',
    statement: `
      insert into ledger.account (kind, reference, currency, lock_mode) values ('FEE', 'another', 'NGN', 'deferred') returning id, kind`,
    seenBy: ['our_accounts_are_the_known_ones'],
  },
  {
    what: 'the constraint dropped that refuses a posting without a MAC',
    statement: `
      alter table ledger.transaction alter column mac drop not null; select 'transaction_mac_not_null' as constraint`,
    seenBy: ['macs_are_required'],
  },
  {
    what: 'money set aside without a hold',
    statement: `update ledger.account set suspended = suspended + 1 where id = ${WALLET} returning id`,
    seenBy: ['suspended_is_what_is_held'],
  },
  {
    what: 'a hold that was closed without giving back',
    statement: `
      update ledger.hold set state = 'RELEASED', closed_at = now() where id = (select min(id) from ledger.hold where state = 'OPEN' and reference like 'SWT-%')
        returning account_id as id`,
    seenBy: ['suspended_is_what_is_held', 'tag_transactions_are_their_money'],
  },
  {
    what: 'a captured hold that says it expired, before its time',
    statement: `
      update ledger.hold set state = 'EXPIRED' where id = (select min(id) from ledger.hold where state = 'CAPTURED' and reference like 'SWT-%') returning id, state`,
    seenBy: ['holds_end_as_they_say', 'tag_transactions_are_their_money'],
  },
  {
    what: 'a released hold that says it was captured',
    statement: `
      update ledger.hold set state = 'CAPTURED' where id = (select min(h.id) from ledger.hold h
          where h.state = 'RELEASED' and not exists (select from ledger.transaction t where t.hold_id = h.id))
        returning state as hold, amount as held`,
    seenBy: ['tag_transactions_are_their_money'],
  },
  {
    what: 'a lien that was lifted on paper alone',
    statement: `
      update ledger.lien set lifted_at = now() where id = (select min(id) from ledger.lien where lifted_at is null and held_for is null)
        returning account_id as id`,
    seenBy: ['liens_are_those_in_force'],
  },
  {
    what: 'a lien that was lifted without an audit entry',
    statement: `
      with lifted as (
        update ledger.lien set lifted_at = now() where id = (select min(id) from ledger.lien where lifted_at is null and held_for is null) returning *)
      update ledger.account a set liens = a.liens - lifted.amount from lifted where a.id = lifted.account_id returning a.reference`,
    seenBy: ['liens_are_audited'],
  },
  {
    what: 'the trigger off that keeps entries as they are',
    statement: disabled('ledger.entry', 'entry_immutable'),
    seenBy: ['ledger_triggers_are_on'],
  },
  {
    what: 'the trigger dropped that refuses unbalanced postings',
    statement: `drop trigger entry_balanced on ledger.entry; select 'entry_balanced' as trigger, null as state`,
    seenBy: ['ledger_triggers_are_on'],
  },
  {
    what: 'the trigger off that keeps entries as they are',
    statement: disabled('ledger.entry', 'entry_immutable'),
    seenBy: ['ledger_triggers_are_on'],
  },
  {
    what: 'the key dropped that numbers entries once',
    statement: `
      alter table ledger.entry drop constraint entry_version; select 'UNIQUE (account_id, version)' as key`,
    seenBy: ['entries_have_their_keys'],
  },
  {
    what: 'the trigger off that keeps audit entries as they are',
    statement: disabled('audit.entry', 'entry_immutable'),
    seenBy: ['audit_triggers_are_on'],
  },
  {
    what: 'the trigger off that gives events their deliveries',
    statement: disabled('outbox.event', 'create_deliveries'),
    seenBy: ['delivery_triggers_are_on'],
  },
  {
    what: 'the trigger off that keeps events as they are',
    statement: disabled('outbox.event', 'event_immutable'),
    seenBy: ['delivery_triggers_are_on'],
  },
  {
    what: 'the trigger off that keeps events from being deleted',
    statement: disabled('outbox.event', 'event_kept'),
    seenBy: ['delivery_triggers_are_on'],
  },
];

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

/** Adds up everything that is there. */
const ADDED_UP = `do $$ begin while books.add_up(now()) is not null loop end loop; end $$;`;

export const bookPlants: readonly Plant[] = [
  {
    what: 'a day of which too much is added up',
    statement: `${ADDED_UP}
      update books.day_total set credits = credits + 100 where kind = 'FEE' and currency = 'NGN' returning kind, currency`,
    seenBy: ['day_totals_are_their_entries'],
  },
  {
    what: 'an hour of which too much is added up',
    statement: `${ADDED_UP}
      update books.hour_total set debits = debits + 100 where currency = 'NGN' returning hour, type`,
    seenBy: ['hour_totals_are_their_entries'],
  },
  {
    what: 'days of a partner that are lost',
    statement: `${ADDED_UP}
      delete from books.partner_day_total where partner_id = (select partner_id from ledger.account where id = ${FLOAT})
        returning partner_id, kind, currency, type`,
    seenBy: ['partner_day_totals_are_their_entries'],
  },
];

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
