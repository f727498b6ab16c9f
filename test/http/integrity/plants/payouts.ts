import type { Plant } from './plant.ts';

const LEFT = `(select id from payouts.payout where state = 'SUCCESSFUL')`;

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
    seenBy: ['payout_postings_have_their_payout'],
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
];
