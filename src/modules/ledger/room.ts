import type { Invariant, Retention, Room } from '#lib/room.ts';
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
    why: 'one row: how far they are added up',
  },
];

const MOVED = `books.moved_between('-infinity', (select until from books.totalled))`;

const WHOLE = 'it is the sum of every entry there ever was';

/** What must be true of the totals of days at any moment. */
const booksInvariants: readonly Invariant[] = [
  {
    name: 'day_totals_are_their_entries',
    promise: 'what is added up of a day, by kind of account, is the sum of its entries',
    wholeOnly: WHOLE,
    offenders: () => `
      select day, kind, currency, d.debits, d.credits, m.debits as moved_out, m.credits as moved_in from books.day_total d
        full join (select day, kind, currency, sum(debits) as debits, sum(credits) as credits from ${MOVED} group by 1, 2, 3) m
          using (day, kind, currency)
        where (d.debits, d.credits) is distinct from (m.debits, m.credits)`,
  },
  {
    name: 'hour_totals_are_their_entries',
    promise: 'what is added up of an hour, by type, is the sum of its entries',
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
    promise: 'what is added up of a partner’s day, by kind of account and type, is the sum of its entries',
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
    ...invariants((facts) => keyring.vouchFor(POSTING_PURPOSE, facts), isSample),
    ...booksInvariants,
  ],
  routingFacts,
};
