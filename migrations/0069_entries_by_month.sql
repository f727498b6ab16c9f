-- Servers from 0058 on work with it.
-- Entries in parts, one for each month of Africa/Lagos. A part has its own keys, those that the table had: what is there becomes the
-- first part without an index being made or a row being read, and a part is made and taken off by itself. That a number is
-- given once in all parts together is a check of the books (entries_are_numbered_once).

-- All locks at once, in the order in which postings take them.
lock table ledger.account, ledger.transaction in share row exclusive mode;--> statement-breakpoint
lock table ledger.entry in access exclusive mode;--> statement-breakpoint
alter table ledger.entry rename to entry_before;--> statement-breakpoint
create table ledger.entry (
  like ledger.entry_before including defaults including storage,
  constraint entry_sound check (amount <> 0 and case when version is null then num_nonnulls(opening, closing) = 0
    else coalesce(closing = opening + amount, false) end)
) partition by range (created_at);--> statement-breakpoint
-- They are asked of what is written to the table, and each part has its own for what is written to that.
create trigger entry_balanced after insert on ledger.entry
  referencing new table as written for each statement execute function ledger.refuse_unbalanced();--> statement-breakpoint
create trigger entry_immutable before update or delete or truncate on ledger.entry
  for each statement execute function ledger.refuse_change();--> statement-breakpoint

-- Until when the first part goes stands in its constraint, so that it is not read; where nothing has been posted, until this month.
do $$
declare
  v_until timestamptz;
begin
  select substring(pg_get_constraintdef(c.oid) from '''([^'']+)''')::timestamptz into strict v_until
    from pg_constraint c where c.conrelid = 'ledger.entry_before'::regclass and c.conname = 'entry_until' and c.convalidated;
  if not exists (select from ledger.entry_before) then
    v_until := date_trunc('month', now() at time zone 'Africa/Lagos') at time zone 'Africa/Lagos';
  end if;
  execute format('alter table ledger.entry attach partition ledger.entry_before for values from (minvalue) to (%L)', v_until);
  alter table ledger.entry_before drop constraint entry_until;
end $$;--> statement-breakpoint

-- The parts of ledger.entry, and of what time each holds the entries.
create function ledger.entry_parts() returns table (part text, starts_at timestamptz, ends_at timestamptz)
language sql stable set timezone = 'UTC' as $$
  select c.relname::text, coalesce(substring(b.bound from 'FROM \(''([^'']+)''\)')::timestamptz, '-infinity'),
      coalesce(substring(b.bound from 'TO \(''([^'']+)''\)')::timestamptz, 'infinity')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
      cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
   where i.inhparent = 'ledger.entry'::regclass and not i.inhdetachpending
$$;--> statement-breakpoint

-- Makes the parts that are missing of this month and of the twelve after it, and says how many. Nobody waits for it longer than
-- its own few statements take, and it waits for others no longer than a fifth of a second: it is asked again and again. Once a day
-- it also looks at the rows of all parts together, of which nothing else makes statistics.
create function ledger.make_months() returns int language plpgsql set lock_timeout = '200ms' as $$
declare
  v_this constant timestamp := date_trunc('month', now() at time zone 'Africa/Lagos');
  v_start timestamptz;
  v_name text;
  v_made int := 0;
begin
  for v_start in
    select month.starts_at from (
      select (v_this + ahead * interval '1 month') at time zone 'Africa/Lagos' as starts_at from generate_series(0, 12) ahead) month
     where not exists (select from ledger.entry_parts() p where p.starts_at <= month.starts_at and p.ends_at > month.starts_at)
     order by 1
  loop
    -- Who finds another at it leaves it to that one.
    if not pg_try_advisory_xact_lock('ledger.entry'::regclass::oid::bigint) then return v_made; end if;
    lock table ledger.account, ledger.transaction in share row exclusive mode;
    lock table ledger.entry in share update exclusive mode;
    continue when exists (select from ledger.entry_parts() p where p.starts_at <= v_start and p.ends_at > v_start);
    v_name := 'entry_' || to_char(v_start at time zone 'Africa/Lagos', 'YYYY_MM');
    execute format('create table ledger.%I (like ledger.entry including all, primary key (transaction_id, leg),
      unique (account_id, version), foreign key (transaction_id) references ledger.transaction (id),
      foreign key (account_id) references ledger.account (id))', v_name);
    execute format('create index %I on ledger.%I using brin (created_at) with (autosummarize = on)', v_name || '_time', v_name);
    execute format('create trigger entry_balanced after insert on ledger.%I
      referencing new table as written for each statement execute function ledger.refuse_unbalanced()', v_name);
    execute format('create trigger entry_immutable before update or delete or truncate on ledger.%I
      for each statement execute function ledger.refuse_change()', v_name);
    execute format('alter table ledger.entry attach partition ledger.%I for values from (%L) to (%L)', v_name, v_start,
      (v_start at time zone 'Africa/Lagos' + interval '1 month') at time zone 'Africa/Lagos');
    v_made := v_made + 1;
  end loop;
  -- Not while those locks are held.
  if v_made = 0 and (select coalesce(s.last_analyze < now() - interval '1 day', true) from pg_stat_all_tables s where s.relid = 'ledger.entry'::regclass)
  then analyze only ledger.entry; end if;
  return v_made;
end $$;--> statement-breakpoint
select ledger.make_months();--> statement-breakpoint

-- As before, of a row of the table of all parts. Those of a row of what is the first part now are called by postings that began
-- before this; a later version drops them.
create function ledger.movement_event(p_wallet text, e ledger.entry, p_principal bigint, p_reference text, p_external_reference text, p_comment text)
returns text language sql stable as $$
  select format('{"event":"%s","reference":%s,"data":{"Amount":%s,"Operation":"%s","Transaction":{"Amount":%s,"Fee":%s,'
      '"Status":"Successful","Reference":%s,"ExternalReference":%s,"Comment":%s},"OpeningBalance":%s,"ClosingBalance":%s,"CreatedAt":"%s"}}',
    case when e.amount > 0 then 'wallet.credited' else 'wallet.debited' end, to_json(p_wallet), ledger.major(e.amount),
    case when e.amount > 0 then 'Credit' else 'Debit' end, ledger.major(p_principal), ledger.major(e.fee), to_json(p_reference),
    to_json(coalesce(p_external_reference, '')), to_json(coalesce(p_comment, '')), ledger.major(e.opening), ledger.major(e.closing),
    to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;--> statement-breakpoint
create function ledger.wallet_event(p_event text, p_wallet text, t ledger.transaction, e ledger.entry)
returns text language sql stable as $$
  select ledger.movement_event(p_wallet, e, t.amount, t.reference,
    case when t.namer in ('CUSTOMER', 'APPLICATION') and e.account_id is distinct from t.source_id then '' else t.external_reference end,
    t.comment)
$$;--> statement-breakpoint

-- Written down anew, so that connections which have read these functions before read them again.
alter function ledger.post_pair(jsonb, timestamptz) volatile;--> statement-breakpoint
alter function ledger.post_batch(jsonb, bigint[], ledger.account[], timestamptz) volatile;--> statement-breakpoint
alter function ledger.settle_pending(bigint, bigint, timestamptz) volatile;
