import type { Plant } from './plant.ts';
import { newest } from './rows.ts';

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
