import type { Invariant } from '#lib/invariant.ts';

/** What must be true of the inbox at any moment. */
export const invariants: readonly Invariant[] = [
  {
    name: 'messages_of_transfers_are_booked_as_they_say',
    promise:
      'a booked message of a transfer names its payout, of the same amount, which has become what the message says',
    offenders: ({ moment }) => `
      select m.id, m.reference, m.amount, m.outcome, p.state, p.amount as payout from inbox.message m
        left join payouts.payout p on p.transaction_id = m.transaction_id
        where m.kind = 'TRANSFER' and m.state = 'BOOKED' and ${moment('m.updated_at')}
          and ((m.provider, m.reference, m.amount, m.currency)
              is distinct from (p.provider, p.provider_reference, p.amount, 'NGN')
            or case m.outcome when 'SUCCESSFUL' then p.state not in ('SUCCESSFUL', 'REVERSED')
              else p.state not in ('FAILED', 'REVERSED') end)`,
  },
];
