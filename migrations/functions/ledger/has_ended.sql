-- Whether nothing can be committed any more that is dated before `p_ends`: the time of a row is read inside its transaction, and every
-- transaction that began before has ended. PostgreSQL hides when a transaction of another role began: one that is open then counts as
-- one that began before. Prepared transactions count too.
create or replace function ledger.has_ended(p_ends timestamptz) returns boolean language sql as $$
  select clock_timestamp() > p_ends
    and not exists (
      select from pg_stat_activity s
        join pg_database d on d.oid = s.datid and d.datname = current_database()
      where s.pid <> pg_backend_pid() and s.usesysid is not null
        and (s.xact_start < p_ends
             or (s.query = '<insufficient privilege>'
                 and exists (select from pg_locks l where l.pid = s.pid and l.locktype = 'virtualxid'))))
    and not exists (select from pg_prepared_xacts x where x.database = current_database() and x.prepared < p_ends)
$$;
