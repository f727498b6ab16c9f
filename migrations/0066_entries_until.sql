-- Servers from 0058 on work with it.
-- Entries go into a part for each month (0069). What is there becomes the first part as it stands, nothing copied: it needs a
-- constraint that says until when it goes, which is checked beside everything else (0067). It goes three months ahead, so that
-- nothing is refused while those files have not run.
do $$
declare
  v_last timestamptz;
begin
  select greatest(now(), max(moved_at)) into v_last from ledger.account;
  execute format('alter table ledger.entry add constraint entry_until check (created_at < %L) not valid',
    (date_trunc('month', v_last at time zone 'Africa/Lagos') + interval '3 months') at time zone 'Africa/Lagos');
end $$;
