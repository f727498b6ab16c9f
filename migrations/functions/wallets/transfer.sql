-- Makes the transfers of several customers, and records whom each has paid, in one transaction of the database. Answers as
-- ledger.post does for their postings.
--
-- A transfer: { payee  the customer who is paid, posting  what ledger.post reads: its owner is the customer who pays }
--
-- Locks what ledger.post locks, then the beneficiaries, by key.
create or replace function wallets.transfer(p_transfers jsonb)
returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb) language plpgsql
-- What a call names is found by index, whatever the planner guesses of how much it names.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
  v_transfer jsonb;
  v_partners uuid[];
  v_customers uuid[];
  v_payees uuid[];
  v_at timestamptz[];
begin
  for ordinal, outcome, replayed, transaction_id, created_at, entries in
    select p.ordinal, p.outcome, p.replayed, p.transaction_id, p.created_at, p.entries
      from ledger.post(jsonb_path_query_array(p_transfers, '$[*].posting')) p
  loop
    -- Only what has moved now: a refused transfer pays no one, and a repeated one was recorded the first time.
    if outcome = 'Successful' and not replayed then
      v_transfer := p_transfers -> (ordinal - 1);
      v_partners := v_partners || (v_transfer #>> '{posting,partner}')::uuid;
      v_customers := v_customers || (v_transfer #>> '{posting,owner}')::uuid;
      v_payees := v_payees || (v_transfer ->> 'payee')::uuid;
      v_at := v_at || created_at;
    end if;
    return next;
  end loop;
  if v_at is not null then perform beneficiaries.record(v_partners, v_customers, v_payees, v_at); end if;
end $$;
