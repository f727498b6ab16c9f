import type { Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { Invariant, Retention, Room } from '#lib/room.ts';
import { routingFacts } from './store.ts';
import { sealedColumns } from './terminal.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'terminals.split',
    kept: 'for ever',
    why: 'the books',
  },
  {
    table: 'terminals.terminal',
    kept: 'for ever',
    why: 'the books name it',
  },
];

/** What must be true of splits at any moment. What they and terminals were paid is held by the invariants of payments. */
const invariants: readonly Invariant[] = [
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

const forward = preparedText<{ moved: number }>(
  'terminals.bring-forward',
  'select terminals.bring_forward($1, $2) as moved',
  { writes: true },
);

/** Lets a time pass for the splits of a partner's terminals of which nothing is paid. For the sandbox: in live it is refused. */
export async function bringForward(
  tx: Tx,
  { partnerId, seconds }: { partnerId: string; seconds: number },
): Promise<number> {
  return (await forward(tx, [partnerId, seconds]))[0]?.moved ?? 0;
}

export const room: Room = { retention, invariants: () => invariants, sealedColumns, routingFacts };
