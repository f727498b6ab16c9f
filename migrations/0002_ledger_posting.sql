-- What the ledger promises whoever writes to it: legs sum to zero, and nothing that was written changes.
create function ledger.refuse_unbalanced() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from written w join ledger.account a on a.id = w.account_id
    group by w.transaction_id, a.currency having sum(w.amount) <> 0)
  then raise exception 'the legs of a posting must sum to zero' using errcode = 'PT001'; end if;
  return null;
end $$;
--> statement-breakpoint
create trigger entry_balanced after insert on ledger.entry
  referencing new table as written for each statement execute function ledger.refuse_unbalanced();
--> statement-breakpoint
create function ledger.refuse_change() returns trigger language plpgsql as $$
begin raise exception '% rows are never changed or deleted', tg_table_name using errcode = 'PT002'; end $$;
--> statement-breakpoint
create trigger entry_immutable before update or delete or truncate on ledger.entry
  for each statement execute function ledger.refuse_change();
--> statement-breakpoint
create trigger entry_immutable before update or delete or truncate on audit.entry
  for each statement execute function ledger.refuse_change();
--> statement-breakpoint
-- Minor units as a JSON number in major units, written as JavaScript writes it.
create function ledger.major(p_minor bigint) returns text language sql immutable strict as $$
  select trim_scale(p_minor / 100.0)::text
$$;
--> statement-breakpoint
-- The body of wallet.credited and wallet.debited: compact, and so equal to JSON.stringify of itself.
create function ledger.wallet_event(
  p_event text, p_wallet text, t ledger.transaction, e ledger.entry
) returns text language sql stable as $$
  select '{"event":' || to_json(p_event)
    || ',"reference":' || to_json(p_wallet)
    || ',"data":{"Amount":' || ledger.major(e.amount)
    || ',"Operation":' || case when e.amount > 0 then '"Credit"' else '"Debit"' end
    || ',"Transaction":{"Amount":' || ledger.major(t.amount)
    || ',"Fee":' || ledger.major(t.fee)
    || ',"Status":' || to_json(t.status)
    || ',"Reference":' || to_json(t.reference)
    || coalesce(',"ExternalReference":' || to_json(t.external_reference), '')
    || coalesce(',"Comment":' || to_json(t.comment), '')
    || '},"OpeningBalance":' || ledger.major(e.opening)
    || ',"ClosingBalance":' || ledger.major(e.closing)
    || ',"CreatedAt":"' || to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}}'
$$;
--> statement-breakpoint
-- Why a posting is refused, or null when it is not. Its strict accounts are locked by the caller.
create function ledger.refusal(p_legs jsonb, p_currency text) returns text language sql as $$
  select case
    when count(a.id) < count(*) then 'ACCOUNT_NOT_FOUND'
    when bool_or(a.currency <> p_currency) then 'CURRENCY_MISMATCH'
    when bool_or(a.status = 'Blocked') then 'WALLET_BLOCKED'
    when bool_or(a.status = 'PND' and l.amount < 0) then 'WALLET_PND'
    when bool_or(a.status = 'PNC' and l.amount > 0) then 'WALLET_PNC'
    when bool_or(l.amount < 0 and a.floor is not null
                 and a.posted - a.suspended - a.liens + l.amount < a.floor) then 'INSUFFICIENT_FUNDS'
  end
  from jsonb_to_recordset(p_legs) l(account bigint, amount bigint)
  left join ledger.account a on a.id = l.account
$$;
--> statement-breakpoint
-- Posts an array of postings in one call, each with its own outcome: a refused one leaves its reference and nothing else.
--
-- Locks are taken in one order by every caller, so that no two can wait for each other: first the references,
-- sorted; then the strict accounts, by id. Deferred accounts are not locked at all.
--
-- A posting: { owner, reference, partner?, type, requestHash (hex), amount, fee?, commission?, currency,
--              externalReference?, comment?, metadata?, original?, legs: [{ account, amount }] }
-- where a leg names each account once. outcome is Successful or the code of the refusal, the same on every replay;
-- REFERENCE_REUSED when the reference stands for another request. `p_now` is for tests; null is the clock.
create function ledger.post(p_postings jsonb, p_now timestamptz default null)
returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb)
language plpgsql as $$
#variable_conflict use_column
declare
  v_ids bigint[];
  v_now timestamptz;
  v_posting jsonb;
  v_transaction ledger.transaction;
  v_code text;
begin
  with posting as (
    select p.ordinal::int as ordinal, x.*,
      row_number() over (partition by x.owner, x.reference order by p.ordinal) as turn
    from jsonb_array_elements(p_postings) with ordinality p(body, ordinal),
      jsonb_to_record(p.body) x(owner uuid, reference text, partner uuid, type text, "requestHash" text,
        amount bigint, fee bigint, commission bigint, currency text, "externalReference" text, comment text,
        metadata jsonb, original bigint)),
  named as (
    insert into ledger.transaction as t (owner_id, reference, partner_id, type, status, request_hash, amount, fee,
      commission, currency, external_reference, comment, metadata, original_id, created_at)
    select owner, reference, partner, type, 'Successful', decode("requestHash", 'hex'), amount, coalesce(fee, 0),
      coalesce(commission, 0), currency, "externalReference", comment, metadata, original,
      coalesce(p_now, clock_timestamp())
    from posting where turn = 1 order by owner, reference
    on conflict (owner_id, reference) do nothing
    returning t.id, t.owner_id, t.reference)
  select array_agg(n.id order by p.ordinal) into v_ids
    from posting p left join named n on n.owner_id = p.owner and n.reference = p.reference and p.turn = 1;

  perform 1 from ledger.account a
    where a.lock_mode = 'strict' and a.id in (
      select (leg ->> 'account')::bigint
      from generate_series(1, cardinality(v_ids)) i, jsonb_array_elements(p_postings -> (i - 1) -> 'legs') leg
      where v_ids[i] is not null)
    order by a.id for no key update;
  v_now := coalesce(p_now, clock_timestamp());

  for i in 1 .. cardinality(v_ids) loop
    v_posting := p_postings -> (i - 1);

    if v_ids[i] is null then
      select t.* into strict v_transaction from ledger.transaction t
        where t.owner_id = (v_posting ->> 'owner')::uuid and t.reference = v_posting ->> 'reference';
      v_code := case when v_transaction.request_hash <> decode(v_posting ->> 'requestHash', 'hex')
                     then 'REFERENCE_REUSED' else v_transaction.code end;
    else
      v_code := ledger.refusal(v_posting -> 'legs', v_posting ->> 'currency');
      update ledger.transaction t
        set created_at = v_now, code = v_code, status = case when v_code is null then 'Successful' else 'Failed' end
        where t.id = v_ids[i] returning t.* into v_transaction;
      if v_code is null then
        insert into ledger.entry (transaction_id, leg, account_id, amount, version, opening, closing, business_date, created_at)
        select v_transaction.id, l.leg, a.id, l.amount,
          case when a.lock_mode = 'strict' then a.version + 1 end,
          case when a.lock_mode = 'strict' then a.posted end,
          case when a.lock_mode = 'strict' then a.posted + l.amount end,
          (v_now at time zone 'Africa/Lagos')::date, v_now
        from rows from (jsonb_to_recordset(v_posting -> 'legs') as (account bigint, amount bigint))
          with ordinality l(account, amount, leg)
        join ledger.account a on a.id = l.account;

        update ledger.account a set posted = e.closing, version = e.version, updated_at = v_now
          from ledger.entry e
          where e.transaction_id = v_transaction.id and a.id = e.account_id and e.version is not null;

        perform outbox.emit(a.partner_id, event.name, a.reference,
            ledger.wallet_event(event.name, a.reference, v_transaction, e), e.version)
          from ledger.entry e join ledger.account a on a.id = e.account_id,
            lateral (select case when e.amount > 0 then 'wallet.credited' else 'wallet.debited' end) event(name)
          where e.transaction_id = v_transaction.id and a.emits order by e.leg;
      end if;
    end if;

    return query select i, coalesce(v_code, v_transaction.status), v_ids[i] is null, v_transaction.id,
      v_transaction.created_at,
      (select jsonb_agg(jsonb_build_object('account', e.account_id, 'amount', e.amount,
                'opening', e.opening, 'closing', e.closing) order by e.leg)
         from ledger.entry e where e.transaction_id = v_transaction.id);
  end loop;
end $$;
--> statement-breakpoint
-- Where money enters and leaves the books. Deferred: no posting waits for another here.
insert into ledger.account (kind, reference, currency, lock_mode)
values ('CLEARING', 'clearing', 'NGN', 'deferred'), ('CLEARING', 'clearing', 'FP', 'deferred');
