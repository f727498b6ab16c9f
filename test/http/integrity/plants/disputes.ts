import type { Plant } from './plant.ts';

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
