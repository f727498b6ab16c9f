import type { Plant } from './plant.ts';
import { LAST_TOLD } from './rows.ts';

const ACCOUNT = `(select a.id from ledger.account a where a.kind = 'WALLET' and a.reference = v.reference)`;
const body = (replaced: string, by: string): string => `
  update outbox.event set body = replace(body, '${replaced}', '${by}') where id = ${LAST_TOLD} returning id as event_id`;
const delivery = (status: string): string =>
  `(select max(id::text)::uuid from webhooks.delivery where status = '${status}')`;

export const eventPlants: readonly Plant[] = [
  {
    what: 'a movement that was not told',
    statement: `
      with gone as (delete from outbox.event v where v.id = ${LAST_TOLD} returning v.*),
        undelivered as (delete from webhooks.delivery where event_id in (select id from gone))
      select ${ACCOUNT} as account_id, v.sequence as version, '0' as events from gone v`,
    seenBy: ['every_movement_is_told_once'],
  },
  {
    what: 'a movement that was told twice',
    triggers: 'on',
    statement: `
      insert into outbox.event as v (receiver_id, event, reference, body, sequence)
        select receiver_id, event, reference, body, sequence from outbox.event where id = ${LAST_TOLD}
        returning ${ACCOUNT} as account_id, v.sequence as version, '2' as events`,
    seenBy: ['every_movement_is_told_once'],
  },
  {
    what: 'a credit that was told as a debit',
    statement: `
      update outbox.event v set event = 'wallet.debited' where id = ${LAST_TOLD}
        returning ${ACCOUNT} as account_id, v.sequence as version, '0' as events`,
    seenBy: ['events_say_what_was_posted', 'every_movement_is_told_once'],
  },
  {
    what: 'a movement that was told and never happened',
    triggers: 'on',
    statement: `
      insert into outbox.event (receiver_id, event, reference, body, sequence)
        select receiver_id, event, reference, body, 4711 from outbox.event where id = ${LAST_TOLD}
        returning reference as wallet, sequence as version`,
    seenBy: ['every_movement_is_told_once'],
  },
  {
    what: 'a movement that was told as a sample, where there is no sandbox',
    triggers: 'on',
    statement: `
      insert into outbox.event (receiver_id, event, reference, body, sequence)
        select receiver_id, event, 'sandbox-for-show', body, 1 from outbox.event where id = ${LAST_TOLD}
        returning reference as wallet`,
    seenBy: ['every_movement_is_told_once'],
  },
  {
    what: 'an event that says another amount',
    statement: body('"Amount":3', '"Amount":4'),
    seenBy: ['events_say_what_was_posted'],
  },
  {
    what: 'an event that says another balance',
    statement: body('"OpeningBalance":', '"OpeningBalance":1'),
    seenBy: ['events_say_what_was_posted'],
  },
  {
    what: 'an event that says another status',
    statement: body('"Status":"Successful"', '"Status":"Failed"'),
    seenBy: ['events_say_what_was_posted'],
  },
  {
    what: 'an event that says more',
    statement: body('"Operation":', '"Urgent":1,"Operation":'),
    seenBy: ['events_say_what_was_posted'],
  },
  {
    what: 'an event that says another time',
    statement: body('"CreatedAt":"20', '"CreatedAt":"19'),
    seenBy: ['events_say_what_was_posted'],
  },
  {
    what: 'an event that says nothing that can be read',
    statement: body('{', '['),
    seenBy: ['events_say_what_was_posted'],
  },
  {
    what: 'an event without a delivery',
    statement: `delete from webhooks.delivery where id = ${delivery('PENDING')} returning event_id`,
    seenBy: ['events_have_deliveries'],
  },
  {
    what: 'an event of nobody, with its delivery',
    statement: `
      with event as (insert into outbox.event (receiver_id, event, reference, body, sequence)
        select gen_random_uuid(), event, reference, body, sequence from outbox.event where id = ${LAST_TOLD} returning id, receiver_id)
      insert into webhooks.delivery (event_id, receiver_id) select id, receiver_id from event returning event_id`,
    seenBy: ['events_have_a_receiver'],
  },
  {
    what: 'a delivery to somebody else',
    statement: `
      update webhooks.delivery d set receiver_id = (select r.id from outbox.receiver r where r.id <> d.receiver_id limit 1)
        where id = ${delivery('PENDING')} returning id as delivery_id`,
    seenBy: ['events_have_deliveries'],
  },
  {
    what: 'a delivery that waits for an earlier one that there is not',
    statement: `
      update webhooks.delivery set due_at = 'infinity', lane = 'PW-nobody', position = 2
        where id = ${delivery('PENDING')} returning id as delivery_id`,
    seenBy: ['deliveries_wait_for_one_before_them'],
  },
  {
    what: 'a delivery whose event is gone',
    statement: `
      with gone as (delete from outbox.event where event = 'transaction.status' and reference = (
        select min(reference) from outbox.event where event = 'transaction.status') returning id)
      select d.id as delivery_id from webhooks.delivery d join gone on gone.id = d.event_id`,
    seenBy: ['deliveries_are_their_attempts', 'payments_are_told_once'],
  },
  {
    what: 'a failed delivery that is marked as delivered',
    statement: `
      update webhooks.delivery set status = 'DELIVERED', delivered_at = now() where id = ${delivery('FAILED')} returning id as delivery_id`,
    seenBy: ['deliveries_are_their_attempts'],
  },
  {
    what: 'a pending delivery that is marked as delivered with an attempt that was never made',
    statement: `
      update webhooks.delivery set status = 'DELIVERED', delivered_at = now(), attempts = 1 where id = ${delivery('PENDING')}
        returning id as delivery_id`,
    seenBy: ['deliveries_are_their_attempts'],
  },
  {
    what: 'an attempt that is not on record',
    statement: `
      update webhooks.delivery set attempts = attempts + 1 where id = ${delivery('FAILED')} returning id as delivery_id`,
    seenBy: ['deliveries_are_their_attempts'],
  },
  {
    what: 'a delivery whose receiver is not on record as having taken it',
    statement: `
      update webhooks.delivery set last_status_code = null where id = ${delivery('DELIVERED')} returning id as delivery_id`,
    seenBy: ['deliveries_are_their_attempts'],
  },
  {
    what: 'an event that was emptied before it was delivered',
    statement: `
      with emptied as (update outbox.event set body = null where id = ${LAST_TOLD} returning id)
      select d.id as delivery_id from webhooks.delivery d join emptied on emptied.id = d.event_id`,
    seenBy: ['deliveries_are_their_attempts'],
  },
];
