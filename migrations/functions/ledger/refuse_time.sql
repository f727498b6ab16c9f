-- What the ledger's functions do, they do at the time of the database's clock. Another time (`p_now`) is refused, but for the owner's, in
-- tests.
create or replace function ledger.refuse_time(p_now timestamptz) returns void language plpgsql as $$
begin
  -- Called by a function with its owner's rights: current_user is that owner, session_user who logged in.
  if p_now is not null and not pg_has_role(session_user, current_user, 'member') then
    raise exception 'only the owner says when' using errcode = 'insufficient_privilege';
  end if;
end $$;
