import type { Invariant, IsSample } from '#lib/room.ts';
import type { Authenticate } from '../posting-mac.ts';
import { accounts } from './accounts.ts';
import { postingsAreAuthentic } from './authentic.ts';
import { balances } from './balances.ts';
import { events } from './events.ts';
import { transactions } from './transactions.ts';

/** What must be true of the books at any moment. */
export const invariants = (authenticate: Authenticate, isSample: IsSample): readonly Invariant[] => [
  ...balances,
  ...transactions,
  postingsAreAuthentic(authenticate),
  ...accounts,
  ...events(isSample),
];
