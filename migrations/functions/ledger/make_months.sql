-- Makes the parts that are missing of this month and of the twelve after it, and says how many. Nobody waits for it longer than
-- its own few statements take, and it waits for others no longer than a fifth of a second: it is asked again and again. Once a day
-- it also looks at the rows of all parts together, of which nothing else makes statistics.
create or replace function ledger.make_months() returns int language plpgsql security definer set search_path = pg_catalog, pg_temp
set lock_timeout = '200ms' as $$
declare
  v_this constant timestamp := date_trunc('month', now() at time zone 'Africa/Lagos');
  v_start timestamptz;
  v_name text;
  v_made int := 0;
begin
  for v_start in
    select month.starts_at from (
      select (v_this + ahead * interval '1 month') at time zone 'Africa/Lagos' as starts_at from generate_series(0, 12) ahead) month
     where not exists (select from ledger.entry_parts() p where p.starts_at <= month.starts_at and p.ends_at > month.starts_at)
     order by 1
  loop
    -- Who finds another at it leaves it to that one.
    if not pg_try_advisory_xact_lock('ledger.entry'::regclass::oid::bigint) then return v_made; end if;
    lock table ledger.account, ledger.transaction in share row exclusive mode;
    lock table ledger.entry in share update exclusive mode;
    continue when exists (select from ledger.entry_parts() p where p.starts_at <= v_start and p.ends_at > v_start);
    v_name := 'entry_' || to_char(v_start at time zone 'Africa/Lagos', 'YYYY_MM');
    execute format('create table ledger.%I (like ledger.entry including all, primary key (transaction_id, leg),
      unique (account_id, version), foreign key (transaction_id) references ledger.transaction (id),
      foreign key (account_id) references ledger.account (id))', v_name);
    execute format('create index %I on ledger.%I using brin (created_at) with (autosummarize = on)', v_name || '_time', v_name);
    execute format('create trigger entry_balanced after insert on ledger.%I
      referencing new table as written for each statement execute function ledger.refuse_unbalanced()', v_name);
    execute format('create trigger entry_immutable before update or delete or truncate on ledger.%I
      for each statement execute function ledger.refuse_change()', v_name);
    execute format('alter table ledger.entry attach partition ledger.%I for values from (%L) to (%L)', v_name, v_start,
      (v_start at time zone 'Africa/Lagos' + interval '1 month') at time zone 'Africa/Lagos');
    v_made := v_made + 1;
  end loop;
  -- Not while those locks are held.
  if v_made = 0 and (select coalesce(s.last_analyze < now() - interval '1 day', true) from pg_stat_all_tables s where s.relid = 'ledger.entry'::regclass)
  then analyze only ledger.entry; end if;
  return v_made;
end $$;
