import { DAY_MS, deletes, type Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'owner_proofs.owner_code',
    kept: 'a day after its request expired',
    why: 'a late code is told that it is late',
    forget: { rows: deletes({ table: 'owner_proofs.owner_code', by: 'expires_at', afterMs: DAY_MS }) },
  },
];
