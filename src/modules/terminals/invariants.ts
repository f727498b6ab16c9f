import type { Invariant } from '#lib/invariant.ts';

/** What must be true of splits at any moment. What they and terminals were paid, the room of payments tells. */
export const invariants: readonly Invariant[] = [
  {
    name: 'splits_are_paid_as_they_say',
    promise: 'a split is Paid exactly if all of it is paid, and neither Cancelled nor Expired once something is',
    offenders: ({ moment }) => `
      select id, terminal_id, reference, amount, total_paid, status from terminals.split
        where ${moment('updated_at')} and (total_paid not between 0 and amount
          or (status = 'Paid') <> (total_paid = amount) or (status in ('Cancelled', 'Expired') and total_paid > 0)
          or (status = 'Expired' and expires_at is null))`,
  },
];
