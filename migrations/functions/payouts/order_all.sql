-- Has the ledger hold what payouts take, and stores them to be sent now: many at a time, each both or neither. Answers as
-- ledger.authorize_all does for their postings, and takes the same locks.
create or replace function payouts.order_all(p_orders jsonb)
returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz,
  entries jsonb) language plpgsql as $$
#variable_conflict use_column
declare
  -- The orders that were new and are held: their places, transactions and times.
  v_places int[];
  v_ids bigint[];
  v_at timestamptz[];
begin
  for ordinal, outcome, replayed, transaction_id, created_at, entries in
    select x.ordinal, x.outcome, x.replayed, x.transaction_id, x.created_at, x.entries
      from ledger.authorize_all(jsonb_path_query_array(p_orders, '$[*].posting')) x
  loop
    -- A refused order leaves no payout, and a repeated one has its own.
    if outcome = 'Pending' and not replayed then
      v_places := v_places || ordinal;
      v_ids := v_ids || transaction_id;
      v_at := v_at || created_at;
    end if;
    return next;
  end loop;
  if v_places is null then return; end if;
  insert into payouts.payout (transaction_id, partner_id, wallet, provider, amount, provider_reference, bank_code, bank_name,
      account_number_sealed, account_name_sealed, account_index, due_at, created_at, updated_at)
    select n.id, o."partnerId", o.wallet, o.provider, o.amount, o."providerReference", o."bankCode", o."bankName",
      decode(o."accountNumberSealed", 'base64'), decode(o."accountNameSealed", 'base64'), decode(o."accountIndex", 'base64'), o.now,
      n.at, o.now
    from unnest(v_places, v_ids, v_at) n (place, id, at),
      jsonb_to_record(p_orders -> (n.place - 1)) o ("partnerId" uuid, wallet text, provider text, amount bigint,
        "providerReference" text, "bankCode" text, "bankName" text, "accountNumberSealed" text, "accountNameSealed" text,
        "accountIndex" text, now timestamptz);
end $$;
