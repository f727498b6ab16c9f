import { newest, type Plant, WALLET } from './plant.ts';

const GATEWAY = newest('PARTNER_GATEWAY');
const HALF_PAID = `(select id from terminals.split where status = 'Pending' and total_paid > 0)`;

export const paymentPlants: readonly Plant[] = [
  {
    what: 'a split that is paid more than its instalments',
    statement: `update terminals.split set total_paid = total_paid + 1 where id = ${HALF_PAID} returning id, total_paid`,
    seenBy: ['splits_are_their_payments'],
  },
  {
    what: 'a split that says it is paid',
    statement: `
      alter table terminals.split drop constraint split_status;
      update terminals.split set status = 'Paid' where id = ${HALF_PAID} returning id, status`,
    seenBy: ['splits_are_paid_as_they_say'],
  },
  {
    what: 'another balance of a terminal',
    statement: `update terminals.terminal set balance = balance + 1 where balance > 0 returning id, balance`,
    seenBy: ['terminals_are_their_payments'],
  },
  {
    what: 'a payment that is gone',
    statement: `delete from payments.payment where transaction_id = ${GATEWAY} returning transaction_id`,
    seenBy: ['payments_are_audited', 'payments_are_their_transactions'],
  },
  {
    what: 'an instalment that belongs to no split',
    statement: `
      update payments.payment set split_id = null where split_id = ${HALF_PAID} returning transaction_id`,
    seenBy: ['payments_are_their_transactions', 'splits_are_their_payments'],
  },
  {
    what: 'a payment at no terminal',
    statement: `
      update payments.payment set terminal_id = null where split_id is null and terminal_id is not null returning transaction_id`,
    seenBy: ['payments_are_their_transactions', 'terminals_are_their_payments'],
  },
  {
    what: 'a credit that says it was a payment',
    statement: `insert into payments.payment (transaction_id) values (${newest('PARTNER_WALLET_CREDIT')}) returning transaction_id`,
    seenBy: ['payments_are_audited', 'payments_are_their_transactions'],
  },
  {
    what: 'a payment that nobody reported',
    statement: `
      delete from audit.entry where action = 'payment.report'
        and target = (select reference from ledger.transaction where id = ${newest('INBOUND')}) returning target as reference`,
    seenBy: ['payments_are_audited'],
  },
  {
    what: 'a payment that was not told',
    statement: `
      with gone as (
          delete from outbox.event v where event = 'transaction.status'
            and reference = (select reference from ledger.transaction where id = ${GATEWAY}) returning *),
        undelivered as (delete from webhooks.delivery where event_id in (select id from gone))
      select reference, '0' as events from gone`,
    seenBy: ['payments_are_told_once'],
  },
  {
    what: 'an event of a payment that says another net amount',
    statement: `
      update outbox.event set body = replace(body, '"Net":', '"Net":1') where event = 'transaction.status'
        and reference = (select reference from ledger.transaction where id = ${GATEWAY}) returning id as event_id`,
    seenBy: ['payment_events_say_what_was_posted'],
  },
];

const LEFT = `(select id from payouts.payout where state = 'SUCCESSFUL')`;

/** The event that told of one. */
const TOLD = `(select max(id::text)::uuid from outbox.event where event = 'payout.successful')`;
const untold = (where: string) => `
  with gone as (delete from outbox.event v where ${where} returning v.*),
    undelivered as (delete from webhooks.delivery where event_id in (select id from gone))
  select receiver_id, event, reference, '0' as published from gone`;
const again = `
  insert into outbox.event as v (receiver_id, event, reference, body) select receiver_id, event, reference, body from outbox.event`;

/** Payouts, and the postings in two steps that they are. */
export const payoutPlants: readonly Plant[] = [
  {
    what: 'a payout of another amount than left',
    statement: `update payouts.payout set amount = amount + 1 where id = ${LEFT} returning id`,
    seenBy: ['payouts_are_their_money'],
  },
  {
    what: 'a payout that is gone',
    statement: `delete from payouts.payout where id = ${LEFT} returning transaction_id as id`,
    seenBy: ['payout_postings_have_their_payout', 'payouts_are_told_once'],
  },
  {
    what: 'a correction of a payout that no payout has',
    statement: `
      with gone as (update payouts.payout set correction_id = null where correction_id is not null returning old.correction_id as id)
      select id from gone`,
    seenBy: ['corrections_of_payouts_are_their_payout'],
  },
  {
    what: 'a captured hold of another amount than was captured',
    statement: `
      with changed as (update ledger.hold set amount = amount + 1
        where id = (select hold_id from ledger.transaction where hold_id is not null and status = 'Successful') returning id)
      select t.id from ledger.transaction t join changed c on c.id = t.hold_id`,
    seenBy: ['two_steps_have_their_hold'],
  },
  {
    what: 'a payout that was not told',
    statement: untold(`v.id = ${TOLD}`),
    seenBy: ['payouts_are_told_once'],
  },
  {
    what: 'a payout that was told twice',
    triggers: 'on',
    statement: `${again} where id = ${TOLD} returning receiver_id, event, reference, '2' as published`,
    seenBy: ['payouts_are_told_once'],
  },
  {
    what: 'a payout that was told to have failed, and did not',
    triggers: 'on',
    statement: `insert into outbox.event as v (receiver_id, event, reference, body)
      select receiver_id, 'payout.failed', reference, body from outbox.event where id = ${TOLD}
      returning receiver_id, event, reference, '1' as published`,
    seenBy: ['payouts_are_told_once'],
  },
  {
    what: 'a dispute that was not told to be decided',
    statement: untold(`v.event = 'dispute.decided'`),
    seenBy: ['disputes_are_told_once'],
  },
  {
    what: 'a dispute that was told twice to have expired',
    triggers: 'on',
    statement: `${again} where event = 'dispute.expired' returning receiver_id, event, reference, '2' as published`,
    seenBy: ['disputes_are_told_once'],
  },
];

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

const MATCHED = `(select id from reconciliation.item where status = 'MATCHED')`;

/** Files of banks, and what became of their lines. */
export const reconciliationPlants: readonly Plant[] = [
  {
    what: 'a posting of another day than was matched',
    statement: `update reconciliation.item set our_day = our_day - 1 where id = ${MATCHED} returning id`,
    seenBy: ['reconciled_postings_are_their_entries'],
  },
  {
    what: 'an imported line that is gone',
    statement: `delete from reconciliation.item where id = ${MATCHED} returning import_id as id`,
    seenBy: ['imported_lines_are_their_file'],
  },
  {
    what: 'an adjustment whose item says something else',
    statement: `
      with changed as (update reconciliation.item set adjustment_id = null, status = 'TIMING' where status = 'RESOLVED'
        returning old.adjustment_id as id)
      select id from changed`,
    seenBy: ['adjustments_are_their_difference'],
  },
  {
    what: 'a resolution that nobody is on record for',
    statement: `update reconciliation.item set action = 'MATCH' where status = 'RESOLVED' returning id`,
    seenBy: ['resolutions_of_items_are_audited'],
  },
];

const booked = (amount: string, outcome: string) => `
  insert into inbox.message (provider, origin, digest, event, kind, reference, amount, currency, outcome, state, transaction_id,
      received_at, ended_at, updated_at)
    select provider, 'HOOK', '\\x00', 'transfer.success', 'TRANSFER', provider_reference, ${amount}, 'NGN', '${outcome}', 'BOOKED',
      transaction_id, now(), now(), now()
    from payouts.payout where state = 'SUCCESSFUL' returning id`;

/** What providers told us, and what it was booked as. */
export const inboxPlants: readonly Plant[] = [
  {
    what: 'a message of a transfer that was booked as another amount',
    statement: booked('amount + 1', 'SUCCESSFUL'),
    seenBy: ['messages_of_transfers_are_booked_as_they_say'],
  },
  {
    what: 'a message of a transfer that failed, booked as one that succeeded',
    statement: booked('amount', 'FAILED'),
    seenBy: ['messages_of_transfers_are_booked_as_they_say'],
  },
  {
    what: 'a posting of what a provider collected, whose message is gone',
    statement: `delete from inbox.message where kind = 'CHARGE' returning transaction_id as id`,
    seenBy: ['collections_have_their_message'],
  },
  {
    what: 'a message of a payment of another amount than was booked',
    statement: `update inbox.message set amount = amount + 1, updated_at = now() where kind = 'CHARGE' returning id`,
    seenBy: ['messages_of_payments_are_booked_as_they_say'],
  },
];

const of = (state: string) => `(select id from disputes.dispute where state = '${state}')`;

/** Disputes, their liens and what they gave back. */
export const disputePlants: readonly Plant[] = [
  {
    what: 'a dispute of another amount than is kept',
    statement: `update disputes.dispute set amount = amount + 1 where id = ${of('EXPIRED')} returning id`,
    seenBy: ['disputes_have_their_lien'],
  },
  {
    what: 'a lien of a dispute that is not decided, lifted',
    statement: `with lifted as (update ledger.lien l set lifted_at = now() from disputes.dispute d
        where d.id = ${of('OPEN')} and l.id = d.lien_id returning l.account_id, l.amount, d.id as id),
      freed as (update ledger.account a set liens = liens - l.amount from lifted l where a.id = l.account_id)
      select id from lifted`,
    seenBy: ['disputes_have_their_lien', 'liens_are_audited'],
  },
  {
    what: 'a dispute that is gone, and its lien is not',
    statement: `with said as (delete from disputes.evidence where dispute_id = ${of('OPEN')})
      delete from disputes.dispute where id = ${of('OPEN')} returning lien_id`,
    seenBy: ['disputes_have_their_lien', 'disputes_are_told_once'],
  },
  {
    what: 'a lost dispute that gave nothing back',
    statement: `update disputes.dispute set refund_id = null where id = ${of('LOST')} returning id`,
    seenBy: ['lost_disputes_are_refunded'],
  },
  {
    what: 'a lost dispute whose refund is another transaction’s',
    statement: `update disputes.dispute set transaction_id = (select transaction_id from disputes.dispute where state = 'WON')
      where id = ${of('LOST')} returning id`,
    seenBy: ['lost_disputes_are_refunded'],
  },
  {
    what: 'a dispute in a state that nobody put it into',
    statement: `update disputes.dispute set state = 'OPEN', expired_at = null where id = ${of('EXPIRED')} returning id`,
    seenBy: ['disputes_are_audited', 'disputes_are_told_once'],
  },
];
