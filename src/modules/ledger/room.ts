import type { Invariant, Retention, Room } from '#lib/room.ts';
import { routingFacts } from './accounts.ts';
import { accounts, balances } from './invariants/accounts.ts';
import { events, postingsAreAuthentic, transactions } from './invariants/transactions.ts';
import { POSTING_PURPOSE } from './posting.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'ledger.account',
    kept: 'for ever',
    why: 'the books',
  },
  {
    table: 'ledger.deferred_delta',
    kept: 'seconds, until added to its account',
    why: 'postings need not queue for one account',
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
    why: 'the spending of their latest day',
  },
  {
    table: 'ledger.transaction',
    kept: 'for ever',
    why: 'the books: sealed, and a reference is used once for ever',
  },
  {
    table: 'books.day_total',
    kept: 'for ever',
    why: 'the books',
  },
  {
    table: 'books.hour_total',
    kept: 'for ever',
    why: 'the books: few rows for each hour',
  },
  {
    table: 'books.partner_day_total',
    kept: 'for ever',
    why: 'the books',
  },
  {
    table: 'books.totalled',
    kept: 'for ever',
    why: 'one row: the moment up to which entries are added up',
  },
];

const MOVED = `books.moved_between('-infinity', (select until from books.totalled))`;

const WHOLE = 'it sums every entry';

/** What must be true of the totals of days at any moment. */
const booksInvariants: readonly Invariant[] = [
  {
    name: 'day_totals_are_their_entries',
    promise: 'the totals of a day, by kind of account, are the sums of its entries',
    wholeOnly: WHOLE,
    offenders: () => `
      select day, kind, currency, d.debits, d.credits, m.debits as moved_out, m.credits as moved_in from books.day_total d
        full join (select day, kind, currency, sum(debits) as debits, sum(credits) as credits from ${MOVED} group by 1, 2, 3) m
          using (day, kind, currency)
        where (d.debits, d.credits) is distinct from (m.debits, m.credits)`,
  },
  {
    name: 'hour_totals_are_their_entries',
    promise: 'the totals of an hour, by type, are the sums of its entries',
    wholeOnly: WHOLE,
    offenders: () => `
      select hour, type, currency, h.debits, m.debits as moved, h.transactions, m.transactions as posted
        from books.hour_total h
        full join (select * from books.moved_by_hour((select min(hour) from books.hour_total), (select until from books.totalled))) m
          using (hour, type, currency)
        where (h.debits, h.transactions) is distinct from (m.debits, m.transactions)`,
  },
  {
    name: 'partner_day_totals_are_their_entries',
    promise: 'the totals of a partner’s day, by kind of account and type, are the sums of its entries',
    wholeOnly: WHOLE,
    offenders: () => `
      select partner_id, day, kind, currency, type, d.debits, d.credits, m.debits as moved_out, m.credits as moved_in
        from books.partner_day_total d
        full join (select * from ${MOVED} where partner_id is not null and kind in ('WALLET', 'FLOAT', 'FEE', 'COMMISSION', 'STAMP_DUTY')) m
          using (partner_id, day, kind, currency, type)
        where (d.debits, d.credits, d.movements) is distinct from (m.debits, m.credits, m.movements)`,
  },
];

export const room: Room = {
  retention,
  invariants: ({ keyring, isSample }) => [
    ...balances,
    ...transactions,
    postingsAreAuthentic((facts) => keyring.vouchFor(POSTING_PURPOSE, facts)),
    ...accounts,
    ...events(isSample),
    ...booksInvariants,
  ],
  routingFacts,
};
