-- A month of deliveries and attempts is made under the locks that it needs in the order in which deliveries are written: an event, its
-- delivery, an attempt, a failure. PostgreSQL by itself takes what names a table before the table: attempts before deliveries. So
-- it held attempts while it waited for a claim's deliveries, and the claim waited for attempts: until this gave up, and nobody else
-- could write any of it. Parents alone are locked, which whoever writes locks first.
create or replace function webhooks.make_months() returns int language plpgsql security definer set search_path = pg_catalog, pg_temp
set lock_timeout = '200ms' as $$
declare
  v_this constant timestamp := date_trunc('month', now() at time zone 'Africa/Lagos');
begin
  if exists (
    select from generate_series(0, 12) ahead
      cross join lateral (select (v_this + ahead * interval '1 month') at time zone 'Africa/Lagos' as starts_at) month
     where not exists (select from outbox.parts('webhooks.delivery') p where p.starts_at <= month.starts_at and p.ends_at > month.starts_at))
  then
    -- Who finds another at it leaves it to that one.
    if not pg_try_advisory_xact_lock('webhooks.delivery'::regclass::oid::bigint) then return 0; end if;
    lock table only outbox.event, outbox.receiver, only webhooks.delivery, only webhooks.attempt, webhooks.failure
      in share row exclusive mode;
  end if;
  return outbox.make_parts('webhooks.delivery') + outbox.make_parts('webhooks.attempt');
end $$;
