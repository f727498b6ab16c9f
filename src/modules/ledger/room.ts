import type { Retention, Room } from '#lib/room.ts';
import { routingFacts } from './accounts.ts';
import { invariants } from './invariants/index.ts';
import { POSTING_PURPOSE } from './posting-mac.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'ledger.account',
    kept: 'for ever',
    why: 'the books',
  },
  {
    table: 'ledger.deferred_delta',
    kept: 'seconds, until it is added to its account',
    why: 'postings do not wait for one account',
  },
  {
    table: 'ledger.entry',
    kept: 'for ever',
    why: 'the books: sealed, and the law wants five years (MLPPA 2022, section 8)',
  },
  {
    table: 'ledger.hold',
    kept: 'for ever',
    why: 'the books',
  },
  {
    table: 'ledger.lien',
    kept: 'for ever',
    why: 'the books',
  },
  {
    table: 'ledger.spending',
    kept: 'one row for each customer with a wallet',
    why: 'what they spent on the latest day they did',
  },
  {
    table: 'ledger.transaction',
    kept: 'for ever',
    why: 'the books: sealed, and a reference is used once for ever',
  },
];

export const room: Room = {
  retention,
  invariants: ({ keyring, isSample }) => invariants((facts) => keyring.vouchFor(POSTING_PURPOSE, facts), isSample),
  routingFacts,
};
