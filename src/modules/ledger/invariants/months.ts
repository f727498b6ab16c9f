/**
 * The months in Africa/Lagos that have entries, in SQL: the first has everything before its end, and the last has none. No entry
 * is written into one that is over.
 */
export const MONTHS = `
  select case when m.month > s.first then to_json(m.month at time zone 'Africa/Lagos') #>> '{}' end as starts,
      case when m.month < s.this then to_json((m.month + interval '1 month') at time zone 'Africa/Lagos') #>> '{}' end as ends
    from (select date_trunc('month', coalesce((select created_at from ledger.transaction order by id limit 1), now())
                   at time zone 'Africa/Lagos') as first,
             date_trunc('month', now() at time zone 'Africa/Lagos') as this) s
      cross join generate_series(s.first, s.this, interval '1 month') m (month)`;
