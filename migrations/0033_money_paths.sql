-- What a payment needs to know is found in one statement.

-- Whoever has a PayTag, by its handle. A closed PayTag is nobody's.
create function customers.payee(p_handle text) returns table (customer_id uuid, is_suspended boolean)
language sql stable as $$
  select c.id, t.status = 'SUSPENDED'
    from tags.tag t join customers.customer c on c.tag_id = t.id
   where t.handle = p_handle and t.released_at is null and t.status <> 'CLOSED'
$$;

-- What stands behind a tag, by its handle: its owner, their application, and whether that keeps it from paying and being
-- paid. A closed tag is nobody's.
create function tags.payable(p_handle text)
returns table (handle text, namespace text, application_id uuid, application_name text, external_id text, is_suspended boolean)
language sql stable as $$
  select t.handle, a.namespace, a.id, a.name, s.external_id, t.status = 'SUSPENDED' or a.status <> 'ACTIVE'
    from tags.tag t
    join applications.subject s on s.id = t.subject_id
    join applications.application a on a.id = s.application_id
   where t.handle = p_handle and t.released_at is null and t.status <> 'CLOSED'
$$;

-- The account of the live wallet into which money sent to a customer's PayTag is paid.
create function wallets.primary_account(p_customer uuid) returns table (account_id bigint)
language sql stable as $$
  select w.account_id from wallets.partner_wallet w
   where w.customer_id = p_customer and w.is_primary and w.revoked_at is null
$$;

-- Makes the transactions that applications ask for, each with its own outcome, all in one transaction of the database.
--
-- An offer: { id, reference, requestHash (hex), senderAppId, receiverAppId, senderTag, receiverTag, amount, fee, currency,
--   narration?, expiresAt, now, event: { owner, name, body }  what is published once its money is held or has moved,
--   and one of
--   code      why it is declined,
--   hold      { reference, hash (hex), account, expiresAt }  holds amount and fee,
--   posting   what ledger.post reads: it is paid at once }
-- outcome is AWAITING_ACCEPTANCE, ACCEPTED, the code it was declined with, or TAKEN when the sender has another
-- transaction of this reference, and nothing was done.
--
-- Locks are taken in the order of the ledger: the accounts, by id; then the references, sorted.
create function tag_transactions.offer(p_offers jsonb) returns table (ordinal int, outcome text) language plpgsql as $$
#variable_conflict use_column
declare
  v_made uuid[];
  v_postings jsonb;
  o record;
  v_hold record;
begin
  perform 1 from ledger.account a
    where a.lock_mode = 'strict' and a.id in (
      select (x #>> '{hold,account}')::bigint from jsonb_array_elements(p_offers) x
      union all
      select (leg ->> 'account')::bigint
        from jsonb_array_elements(p_offers) x, jsonb_array_elements(x #> '{posting,legs}') leg)
    order by a.id for no key update;

  with made as (
    insert into tag_transactions.tag_transaction (id, reference, request_hash, sender_app_id, receiver_app_id, sender_tag,
      receiver_tag, amount, fee, currency, status, code, narration, expires_at, created_at, updated_at)
    select id, reference, decode("requestHash", 'hex'), "senderAppId", "receiverAppId", "senderTag", "receiverTag", amount,
      fee, currency, case when code is null then 'AWAITING_ACCEPTANCE' else 'DECLINED' end, code, narration, "expiresAt",
      now, now
    from jsonb_array_elements(p_offers) with ordinality asked (body, place),
      jsonb_to_record(body) x(id uuid, reference text, "requestHash" text, "senderAppId" uuid, "receiverAppId" uuid,
        "senderTag" text, "receiverTag" text, amount bigint, fee bigint, currency text, code text, narration text,
        "expiresAt" timestamptz, now timestamptz)
    order by "senderAppId", reference, place
    on conflict (sender_app_id, reference) do nothing
    returning id)
  select array_agg(id) into v_made from made;

  for o in
    select place::int, body, (body ->> 'id')::uuid as id, body -> 'hold' as hold, coalesce((body ->> 'id')::uuid = any (v_made), false) as is_made
      from jsonb_array_elements(p_offers) with ordinality asked (body, place)
     where body ? 'hold' or body ? 'code' or (body ->> 'id')::uuid = any (v_made) is not true
     order by place
  loop
    ordinal := o.place;
    outcome := case when o.is_made then o.body ->> 'code' else 'TAKEN' end;
    if outcome is null then
      select h.outcome, h.hold_id into v_hold
        from ledger.place_hold((o.body ->> 'senderAppId')::uuid, o.hold ->> 'reference', decode(o.hold ->> 'hash', 'hex'),
          (o.hold ->> 'account')::bigint, (o.body ->> 'amount')::bigint + (o.body ->> 'fee')::bigint,
          (o.hold ->> 'expiresAt')::timestamptz) h;
      outcome := case v_hold.outcome when 'OPEN' then 'AWAITING_ACCEPTANCE' else v_hold.outcome end;
      update tag_transactions.tag_transaction t
        set hold_id = case v_hold.outcome when 'OPEN' then v_hold.hold_id end,
          status = case v_hold.outcome when 'OPEN' then t.status else 'DECLINED' end,
          code = nullif(v_hold.outcome, 'OPEN')
        where t.id = o.id;
    end if;
    if outcome = 'AWAITING_ACCEPTANCE' then perform tag_transactions.publish(o.body); end if;
    return next;
  end loop;

  select jsonb_agg(body -> 'posting' order by place) into v_postings
    from jsonb_array_elements(p_offers) with ordinality asked (body, place)
   where body ? 'posting' and (body ->> 'id')::uuid = any (v_made);
  if v_postings is null then return; end if;
  for o in
    select asked.place::int, asked.body, posted.outcome, posted.transaction_id
      from ledger.post(v_postings) posted
      join (select body, place, row_number() over (order by place) as turn
              from jsonb_array_elements(p_offers) with ordinality asked (body, place)
             where body ? 'posting' and (body ->> 'id')::uuid = any (v_made)) asked on asked.turn = posted.ordinal
     order by asked.place
  loop
    ordinal := o.place;
    outcome := case o.outcome when 'Successful' then 'ACCEPTED' else o.outcome end;
    update tag_transactions.tag_transaction t
      set status = case outcome when 'ACCEPTED' then 'ACCEPTED' else 'DECLINED' end,
        accepted_at = case outcome when 'ACCEPTED' then t.created_at end,
        posting_id = case outcome when 'ACCEPTED' then o.transaction_id end,
        code = nullif(outcome, 'ACCEPTED')
      where t.id = (o.body ->> 'id')::uuid;
    if outcome = 'ACCEPTED' then perform tag_transactions.publish(o.body); end if;
    return next;
  end loop;
end $$;

-- Gives waiting transactions the status that their applications decided on, each with its own outcome, all in one
-- transaction of the database.
--
-- A decision: { id, reference, to (ACCEPTED, REJECTED or CANCELLED), now, rejectionReason?,
--   event: { owner, name, body }  what is published, and one of
--   release   the hold, whose money stays with the sender,
--   posting   what ledger.post reads: it captures the hold }
-- outcome is DONE, or NOT_PENDING when the transaction does not wait any more or has expired, and nothing was done. When the
-- ledger refuses a posting it fails with that code (PT010): then nothing at all was done, and whoever decided on several
-- decides on each alone.
--
-- Locks are taken in one order: the transactions, by id; then those of the ledger. Decisions that release are not mixed with
-- decisions that post.
create function tag_transactions.decide(p_decisions jsonb) returns table (ordinal int, outcome text) language plpgsql as $$
#variable_conflict use_column
declare
  v_open uuid[];
  v_turns int[];
  v_refused text;
  v_posted bigint[];
  d record;
begin
  select array_agg(locked.id) into v_open from (
    select t.id from tag_transactions.tag_transaction t
      join (select (x ->> 'id')::uuid as id, min((x ->> 'now')::timestamptz) as now
              from jsonb_array_elements(p_decisions) x group by 1) asked on asked.id = t.id
     where t.status = 'AWAITING_ACCEPTANCE' and t.expires_at > asked.now
     order by t.id for no key update of t) locked;
  select array_agg(first.place order by first.place) into v_turns from (
    select distinct on (body ->> 'id') place::int
      from jsonb_array_elements(p_decisions) with ordinality asked (body, place)
     where (body ->> 'id')::uuid = any (v_open) order by body ->> 'id', place) first;

  if exists (select from jsonb_array_elements(p_decisions) x where x ? 'release') then
    perform ledger.close_holds(array(
      select (p_decisions -> (turn - 1) ->> 'release')::bigint from unnest(v_turns) turn
       where p_decisions -> (turn - 1) ? 'release'), 'RELEASED');
  end if;
  if exists (select from unnest(v_turns) turn where p_decisions -> (turn - 1) ? 'posting') then
    select array_agg(posted.transaction_id order by posted.ordinal),
        min(posted.outcome) filter (where posted.outcome <> 'Successful')
      into v_posted, v_refused
      from ledger.post((select jsonb_agg(p_decisions -> (turn - 1) -> 'posting' order by turn) from unnest(v_turns) turn
                         where p_decisions -> (turn - 1) ? 'posting')) posted;
    if v_refused is not null then raise exception '%', v_refused using errcode = 'PT010'; end if;
  end if;

  update tag_transactions.tag_transaction t
    set status = x.body ->> 'to', updated_at = x.now,
      accepted_at = case x.body ->> 'to' when 'ACCEPTED' then x.now end,
      rejected_at = case x.body ->> 'to' when 'REJECTED' then x.now end,
      rejection_reason = x.body ->> 'rejectionReason',
      posting_id = case when x.body ? 'posting' then v_posted[x.posting] end
    from (select body, (body ->> 'id')::uuid as id, (body ->> 'now')::timestamptz as now,
                 count(*) filter (where body ? 'posting') over (order by turn) as posting
            from unnest(v_turns) turn, lateral (select p_decisions -> (turn - 1) as body) b) x
    where t.id = x.id;

  for d in
    select place::int, body, coalesce(place = any (v_turns), false) as is_open
      from jsonb_array_elements(p_decisions) with ordinality asked (body, place) order by place
  loop
    ordinal := d.place;
    outcome := case when d.is_open then 'DONE' else 'NOT_PENDING' end;
    if d.is_open then perform tag_transactions.publish(d.body); end if;
    return next;
  end loop;
end $$;

-- Publishes the event of an offer or a decision.
create function tag_transactions.publish(p jsonb) returns void language sql as $$
  select outbox.emit((p #>> '{event,owner}')::uuid, p #>> '{event,name}', p ->> 'reference', p #>> '{event,body}', (p ->> 'id')::uuid)
$$;
