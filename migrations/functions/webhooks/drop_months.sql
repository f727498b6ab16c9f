-- Drops a part whose month is over and in which nothing is left: of attempts one that has none, and of whose deliveries none may have
-- another; else one of deliveries that are all forgotten. Says how many. It takes its locks in the order of postings, so that none of
-- them and this wait for each other, and waits a fifth of a second for each.
create or replace function webhooks.drop_months() returns int language plpgsql security definer set search_path = pg_catalog, pg_temp
set lock_timeout = '200ms' as $$
declare
  v_part record;
  v_any boolean;
begin
  for v_part in
    select t.name, p.part, outbox.first_id_at(case when isfinite(p.starts_at) then p.starts_at else to_timestamp(0) end) as starts,
        outbox.first_id_at(p.ends_at) as ends
      from unnest(array['attempt', 'delivery']) with ordinality t (name, place)
      cross join lateral outbox.parts(format('webhooks.%I', t.name)::regclass) p
     where p.ends_at < now() - interval '1 day' order by t.place, p.ends_at
  loop
    -- Looked at first without a lock: most that are over are not empty yet. What is PENDING may have another attempt; by two
    -- conditions, so that each is found by an index.
    execute format('select exists (select from webhooks.%I)', v_part.part) into v_any;
    continue when v_any or v_part.name = 'attempt' and (exists (select from webhooks.delivery d
      where d.id >= v_part.starts and d.id < v_part.ends and d.status = 'PENDING' and d.due_at is not null)
      or exists (select from webhooks.delivery d
      where d.id >= v_part.starts and d.id < v_part.ends and d.status = 'PENDING' and d.due_at is null));
    if not pg_try_advisory_xact_lock('webhooks.attempt'::regclass::oid::bigint) then return 0; end if;
    if v_part.name = 'attempt' then
      lock table webhooks.attempt in access exclusive mode;
    else
      lock table outbox.event, webhooks.delivery, webhooks.attempt, webhooks.failure in access exclusive mode;
    end if;
    execute format('select exists (select from webhooks.%I)', v_part.part) into v_any;
    if v_any then return 0; end if;
    -- Attempts and failures name deliveries: of this part there are none.
    if v_part.name = 'delivery' then execute format('alter table webhooks.delivery detach partition webhooks.%I', v_part.part); end if;
    execute format('drop table webhooks.%I', v_part.part);
    return 1;
  end loop;
  return 0;
exception when lock_not_available then -- e.g. a backup, which reads all tables
  return 0;
end $$;
