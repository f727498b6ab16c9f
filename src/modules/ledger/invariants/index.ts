import type { Invariant } from '#lib/invariant.ts';
import { accounts } from './accounts.ts';
import { balances } from './balances.ts';
import { events } from './events.ts';
import { transactions } from './transactions.ts';

/** What must be true of the books at any moment. */
export const invariants: readonly Invariant[] = [...balances, ...transactions, ...accounts, ...events];
