-- Makes the parts that are missing of this month and of the twelve after it, and says how many, for who owns the table. Nobody
-- waits for it longer than its own few statements take, and it waits for others no longer than a fifth of a second: it is asked
-- again and again. Once a day it also looks at the rows of all parts together, of which nothing else makes statistics.
create or replace function outbox.make_parts(p_table regclass) returns int language plpgsql set lock_timeout = '200ms' as $$
declare
  v_this constant timestamp := date_trunc('month', now() at time zone 'Africa/Lagos');
  v_space name;
  v_name name;
  v_part name;
  v_start timestamptz;
  v_stored text;
  v_made int := 0;
begin
  select n.nspname, c.relname into strict v_space, v_name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = p_table;
  for v_start in
    select month.starts_at from (
      select (v_this + ahead * interval '1 month') at time zone 'Africa/Lagos' as starts_at from generate_series(0, 12) ahead) month
     where not exists (select from outbox.parts(p_table) p where p.starts_at <= month.starts_at and p.ends_at > month.starts_at)
     order by 1
  loop
    -- Who finds another at it leaves it to that one.
    if not pg_try_advisory_xact_lock(p_table::oid::bigint) then return v_made; end if;
    execute format('lock table only %s in share update exclusive mode', p_table);
    continue when exists (select from outbox.parts(p_table) p where p.starts_at <= v_start and p.ends_at > v_start);
    v_part := v_name || '_' || to_char(v_start at time zone 'Africa/Lagos', 'YYYY_MM');
    select ' with (' || array_to_string(c.reloptions, ', ') || ')' into v_stored
      from outbox.parts(p_table) p join pg_class c on c.relname = p.part and c.relnamespace = to_regnamespace(v_space)
     order by p.starts_at desc limit 1;
    execute format('create table %I.%I (like %s including all)%s', v_space, v_part, p_table, coalesce(v_stored, ''));
    execute format('alter table %s attach partition %I.%I for values from (%L) to (%L)', p_table, v_space, v_part,
      outbox.first_id_at(v_start),
      outbox.first_id_at((v_start at time zone 'Africa/Lagos' + interval '1 month') at time zone 'Africa/Lagos'));
    v_made := v_made + 1;
  end loop;
  -- Not while those locks are held.
  if v_made = 0 and (select coalesce(s.last_analyze < now() - interval '1 day', true) from pg_stat_all_tables s where s.relid = p_table)
  then execute format('analyze only %s', p_table); end if;
  return v_made;
end $$;
