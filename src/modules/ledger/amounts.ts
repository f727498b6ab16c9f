import { asMinor, type Minor } from './money.ts';
import type { account } from './tables.ts';

type AccountRow = typeof account.$inferSelect;

/** The five amounts of a wallet, in minor units. */
export interface Amounts {
  total: Minor;
  suspended: Minor;
  blocked: Minor;
  available: Minor;
}

/** Computes the amounts of an account that answers and pages show. Nothing else computes them. */
export function amountsOf(row: Pick<AccountRow, 'posted' | 'suspended' | 'liens'>): Amounts {
  const free = row.posted - row.suspended;
  const blocked = row.liens < free ? row.liens : free;
  return {
    total: asMinor(row.posted),
    suspended: asMinor(row.suspended),
    blocked: asMinor(blocked),
    available: asMinor(free - blocked),
  };
}
