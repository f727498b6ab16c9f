-- A seal is the next one: its number follows the last, its period follows the last hour's and is over, and a day comes when its last hour
-- has been sealed. Any other would be in the way of the seals that follow.
create or replace function seals.refuse_out_of_turn() returns trigger language plpgsql as $$
declare
  v_last seals.seal;
  v_is_day boolean;
begin
  select * into v_last from seals.seal order by number desc limit 1;
  -- After the last hour of a day in Lagos comes the seal of that day.
  v_is_day := v_last.period is not distinct from 'HOUR'
    and v_last.ends_at = date_trunc('day', v_last.ends_at, 'Africa/Lagos');
  if new.number <> coalesce(v_last.number, 0) + 1
      or (new.period = 'DAY') <> v_is_day
      or (v_last.number is not null and v_is_day
        and (new.ends_at, new.starts_at) is distinct from (v_last.ends_at, v_last.ends_at - interval '24 hours'))
      or (v_last.number is not null and not v_is_day
        and (new.starts_at, new.ends_at) is distinct from (v_last.ends_at, v_last.ends_at + interval '1 hour'))
      or new.ends_at <> date_trunc('hour', new.ends_at, 'UTC')
      or new.sealed_at < new.ends_at or new.sealed_at > clock_timestamp() then
    raise exception 'this seal is not the next' using errcode = 'PT002';
  end if;
  return new;
end $$;

create or replace trigger seal_in_turn before insert on seals.seal for each row execute function seals.refuse_out_of_turn();
