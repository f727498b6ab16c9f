import type { Invariant, IsSample } from '#lib/invariant.ts';
import { toldOnce } from '#modules/webhooks';

/** A payout may be sent again where its provider did not take it: how often it was, is not kept. */
const SENT_MOST = 1_000;

/** What must be true of payouts at any moment. */
export const invariants = (isSample: IsSample): readonly Invariant[] => [
  {
    name: 'payouts_are_their_money',
    promise:
      'a payout on its way has its amount held, one that succeeded took it, one that failed gave it back, and one that was reversed took it and gave it back',
    offenders: ({ moment }) => `
      select p.id, p.state, p.amount, t.id as transaction_id, t.status, t.amount as posted from payouts.payout p
        left join ledger.transaction t on t.id = p.transaction_id left join ledger.account a on a.id = t.source_id
        left join ledger.account d on d.id = t.destination_id
        where ${moment('p.updated_at')}
          and ((t.type, t.amount, t.currency, t.partner_id, a.kind, a.reference, d.kind, t.created_at)
              is distinct from ('PAYOUT', p.amount, 'NGN', p.partner_id, 'WALLET', p.wallet, 'CLEARING_PAYOUT', p.created_at)
            or t.status is distinct from case p.state when 'SUCCESSFUL' then 'Successful' when 'FAILED' then 'Voided'
              when 'REVERSED' then 'Reversed' else 'Held' end
            or t.void_reason is distinct from p.failure_reason)`,
  },
  {
    name: 'payouts_are_told_once',
    promise:
      'what became of a payout is told to each endpoint that names it, once but for its sending, and no event tells of another',
    offenders: toldOnce(
      {
        prefix: 'payout.',
        changes: (around) => `
          select p.partner_id as owner_id, t.reference, x.event, x.at, case x.event when 'payout.sent' then ${SENT_MOST}
              else (x.at is not null)::int end as most
            from payouts.payout p join ledger.transaction t on t.id = p.transaction_id
            cross join lateral (values ('payout.sent', case when p.sent_at is distinct from p.ended_at then p.sent_at end),
              ('payout.successful', case when p.state in ('SUCCESSFUL', 'REVERSED') then p.ended_at end),
              ('payout.failed', case when p.state = 'FAILED' then p.ended_at end),
              ('payout.reversed', p.reversed_at)) x(event, at)
            where ${around('p.updated_at')}`,
      },
      isSample,
    ),
  },
  {
    name: 'reversals_of_rails_are_of_payouts',
    promise: 'every reversal that no operator made is of a payout that its rail sent back',
    offenders: ({ moment }) => `
      select t.id, t.reference, t.original_id from ledger.transaction t
        where t.type = 'REVERSAL' and t.namer <> 'OPERATOR' and t.status <> 'Failed' and ${moment('t.created_at')}
          and not exists (select from payouts.payout p where p.transaction_id = t.original_id and p.state = 'REVERSED'
                            and t.reference = p.provider_reference || '-reversed')
          and not exists (select from payouts.payout p where p.correction_id = t.original_id
                            and t.reference = p.provider_reference || '-correction-reversed')`,
  },
  {
    name: 'corrections_of_payouts_are_their_payout',
    promise: 'every correction of a payout is of one that has failed, once, of its amount, and stands in the audit log',
    offenders: ({ moment }) => `
      select t.id, t.reference, t.amount, p.id as payout from ledger.transaction t
        left join payouts.payout p on p.correction_id = t.id left join ledger.transaction o on o.id = p.transaction_id
        left join ledger.account d on d.id = t.destination_id left join ledger.account a on a.id = t.source_id
        where t.type = 'PAYOUT_CORRECTION' and t.status <> 'Failed' and ${moment('t.created_at')}
          and ((t.amount, t.currency, t.reference, d.kind, t.fee)
              is distinct from (p.amount, 'NGN', p.provider_reference || '-corrected', 'CLEARING_PAYOUT', 0)
            or (t.source_id is distinct from o.source_id and a.kind is distinct from 'DIFFERENCE')
            or not exists (select from audit.entry x where x.target = p.id::text and x.action = 'payout.correct'))`,
  },
  {
    name: 'payout_postings_have_their_payout',
    promise: 'every posting of a payout that was not refused belongs to a payout',
    offenders: ({ moment }) => `
      select t.id, t.reference, t.status, t.amount from ledger.transaction t
        where t.type = 'PAYOUT' and t.status <> 'Failed' and ${moment('t.created_at')}
          and not exists (select from payouts.payout p where p.transaction_id = t.id)`,
  },
];
