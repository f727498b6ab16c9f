import type { Plant } from './plant.ts';

const LEFT = `(select id from payouts.payout where state = 'SUCCESSFUL')`;

/** The event that told of one. */
const TOLD = `(select max(id::text)::uuid from outbox.event where event = 'payout.successful')`;
const untold = (where: string) => `
  with gone as (delete from outbox.event v where ${where} returning v.*),
    undelivered as (delete from webhooks.delivery where event_id in (select id from gone))
  select receiver_id, event, reference, '0' as told from gone`;
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
    statement: `${again} where id = ${TOLD} returning receiver_id, event, reference, '2' as told`,
    seenBy: ['payouts_are_told_once'],
  },
  {
    what: 'a payout that was told to have failed, and did not',
    triggers: 'on',
    statement: `insert into outbox.event as v (receiver_id, event, reference, body)
      select receiver_id, 'payout.failed', reference, body from outbox.event where id = ${TOLD}
      returning receiver_id, event, reference, '1' as told`,
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
    statement: `${again} where event = 'dispute.expired' returning receiver_id, event, reference, '2' as told`,
    seenBy: ['disputes_are_told_once'],
  },
];
