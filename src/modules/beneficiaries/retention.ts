import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'beneficiaries.beneficiary',
    kept: 'until the customer removes it, or is erased',
    why: 'whom they paid is offered to them again',
  },
];
