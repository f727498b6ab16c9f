import type { Invariant } from '#lib/invariant.ts';

/** Of archived entries nothing but what is carried of them can be held against the totals. */
const ARCHIVED = '(select ledger.archived_until())';
const ARCHIVED_DAY = `ledger.business_day(${ARCHIVED})`;
const MOVED = `books.moved_between(${ARCHIVED}, (select until from books.totalled))`;
const WHOLE = 'it is the sum of every entry there ever was';

/** What must be true of the totals of days at any moment. */
export const invariants: readonly Invariant[] = [
  {
    name: 'day_totals_are_their_entries',
    promise: 'what is added up of a day, by kind of account, is the sum of its entries',
    wholeOnly: WHOLE,
    offenders: () => `
      select day, kind, currency, d.debits, d.credits, m.debits as moved_out, m.credits as moved_in from (select * from books.day_total where day >= ${ARCHIVED_DAY}) d
        full join (select day, kind, currency, sum(debits) as debits, sum(credits) as credits from ${MOVED} group by 1, 2, 3) m
          using (day, kind, currency)
        where (d.debits, d.credits) is distinct from (m.debits, m.credits)`,
  },
  {
    name: 'archived_days_are_what_is_carried',
    promise: 'what is added up of the days that are archived, by kind of account, is what is carried of them',
    wholeOnly: WHOLE,
    offenders: () => `
      select kind, currency, d.debits, d.credits, c.debits as carried_out, c.credits as carried_in from (
          select kind, currency, sum(debits) as debits, sum(credits) as credits from books.day_total
            where day < ${ARCHIVED_DAY} group by 1, 2) d
        full join (select a.kind, a.currency, sum(c.debits) as debits, sum(c.credits) as credits from ledger.carried c
                     join ledger.account a on a.id = c.account_id group by 1, 2) c using (kind, currency)
        where (d.debits, d.credits) is distinct from (c.debits, c.credits)`,
  },
  {
    name: 'hour_totals_are_their_entries',
    promise: 'what is added up of an hour, by type, is the sum of its entries',
    wholeOnly: WHOLE,
    offenders: () => `
      select hour, type, currency, h.debits, m.debits as moved, h.transactions, m.transactions as posted
        from (select * from books.hour_total where hour >= ${ARCHIVED}) h
        full join (select * from books.moved_by_hour((select min(hour) from books.hour_total where hour >= ${ARCHIVED}), (select until from books.totalled))) m
          using (hour, type, currency)
        where (h.debits, h.transactions) is distinct from (m.debits, m.transactions)`,
  },
  {
    name: 'partner_day_totals_are_their_entries',
    promise: 'what is added up of a partner’s day, by kind of account and type, is the sum of its entries',
    wholeOnly: WHOLE,
    offenders: () => `
      select partner_id, day, kind, currency, type, d.debits, d.credits, m.debits as moved_out, m.credits as moved_in
        from (select * from books.partner_day_total where day >= ${ARCHIVED_DAY}) d
        full join (select * from ${MOVED} where partner_id is not null and kind in ('WALLET', 'FLOAT', 'FEE', 'COMMISSION', 'STAMP_DUTY')) m
          using (partner_id, day, kind, currency, type)
        where (d.debits, d.credits, d.movements) is distinct from (m.debits, m.credits, m.movements)`,
  },
];
