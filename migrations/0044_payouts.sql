-- Payouts to bank accounts, and what they need of the ledger: a posting in two steps, whose money is held until it is known
-- whether it left.

alter table ledger.transaction
  add column hold_id bigint references ledger.hold (id),
  add column void_reason text,
  drop constraint transaction_sound;
alter table ledger.transaction add constraint transaction_sound check ("ledger"."transaction"."amount" > 0 and least("ledger"."transaction"."fee", "ledger"."transaction"."commission", "ledger"."transaction"."stamp_duty") >= 0 and "ledger"."transaction"."refunded" between 0 and "ledger"."transaction"."amount"
        and "ledger"."transaction"."namer" in ('PARTNER', 'CUSTOMER', 'APPLICATION', 'RAIL', 'OPERATOR')
        and "ledger"."transaction"."status" in ('Pending', 'Successful', 'Failed', 'Reversed', 'Held', 'Voided')
        and ("ledger"."transaction"."status" = 'Failed') = ("ledger"."transaction"."code" is not null) and ("ledger"."transaction"."status" <> 'Pending' or "ledger"."transaction"."pending_reason" is not null)
        and case when "ledger"."transaction"."status" in ('Held', 'Voided') then "ledger"."transaction"."hold_id" is not null else true end
        and ("ledger"."transaction"."status" = 'Voided') = ("ledger"."transaction"."void_reason" is not null));
create unique index transaction_hold on ledger.transaction (hold_id) where hold_id is not null;

-- Where the money of payouts leaves the books, in the order of `systemAccount` of src/modules/ledger.
insert into ledger.account (id, kind, reference, currency, lock_mode) overriding system value
select 16 + row_number() over (order by c.place), 'CLEARING_PAYOUT', 'clearing_payout', c.currency, 'deferred'
from unnest(array['NGN', 'FP']) with ordinality c(currency, place);

-- As in 0011, and of a posting in two steps: its first answer was Pending, whatever has become of it since.
create or replace function ledger.answer_again(p jsonb,
  out outcome text, out replayed boolean, out transaction_id bigint, out created_at timestamptz, out entries jsonb)
language plpgsql as $$
declare
  t ledger.transaction;
begin
  select x.* into strict t from ledger.transaction x
    where x.owner_id = (p ->> 'owner')::uuid and x.namer = p ->> 'namer' and x.reference = p ->> 'reference';
  replayed := true;
  transaction_id := t.id;
  created_at := t.created_at;
  outcome := case
    when not ledger.is_repeated(t, p) then 'REFERENCE_REUSED'
    when t.hold_id is not null then 'Pending'
    else coalesce(t.code, case when t.pending_reason is null then 'Successful' else 'Pending' end) end;
  entries := case when t.hold_id is null then ledger.entries_of(t.id) else '[]' end;
  if t.pending_reason is not null and t.completed_at is not null then
    entries := entries - -1 - -1; -- the two that settled it
  end if;
end $$;

-- The first step of a posting in two: judges it as `ledger.post` would, reserves its reference, and holds what its source pays.
-- The money moves when it is captured, or never, when it is voided; it waits for that without end. Answers Pending, or the code
-- of the refusal; the same on every replay. The posting is as `ledger.post` describes it, of two legs at least, and no original.
create function ledger.authorize(p jsonb, p_now timestamptz default null)
returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb)
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
#variable_conflict use_column
declare
  a ledger.account;
  v_id bigint;
  v_hold bigint;
  v_now timestamptz;
  v_code text;
  v_held bigint;
begin
  perform ledger.refuse_time(p_now);
  select * into strict a from ledger.account x where x.id = (p ->> 'source')::bigint for no key update;
  v_now := coalesce(p_now, greatest(a.moved_at, date_trunc('milliseconds', clock_timestamp())));
  if p ? 'limitAccount' then perform ledger.lock_spending(array[a.holder_id], ledger.business_day(v_now)); end if;
  insert into ledger.transaction as t (owner_id, namer, reference, partner_id, type, status, request_hash, mac, amount, fee,
      commission, stamp_duty, currency, source_id, destination_id, external_reference, comment, metadata, created_at, completed_at)
    select x.owner, x.namer, x.reference, x.partner, x.type, 'Successful', decode(x."requestHash", 'hex'), decode(x.mac, 'hex'),
      x.amount, coalesce(x.fee, 0), coalesce(x.commission, 0), coalesce(x."stampDuty", 0), x.currency, x.source, x.destination,
      x."externalReference", x.comment, x.metadata, v_now, null
    from jsonb_to_record(p) x(owner uuid, namer text, reference text, partner uuid, type text, "requestHash" text, mac text,
      amount bigint, fee bigint, commission bigint, "stampDuty" bigint, currency text, source bigint, destination bigint,
      "externalReference" text, comment text, metadata jsonb)
    on conflict (owner_id, namer, reference) do nothing returning t.id into v_id;
  if v_id is null then
    return query select 1, again.* from ledger.answer_again(p) again;
    return;
  end if;

  v_code := ledger.refusal(p, null, null, v_now);
  if v_code is not null then
    update ledger.transaction set status = 'Failed', code = v_code where id = v_id;
    return query select 1, v_code, false, v_id, v_now, null::jsonb;
    return;
  end if;
  select -l.amount into strict v_held from jsonb_to_recordset(p -> 'legs') l(account bigint, amount bigint) where l.account = a.id;
  insert into ledger.hold (owner_id, reference, request_hash, account_id, amount, state, counted, held_day, expires_at, created_at)
    values ((p ->> 'owner')::uuid, 'transaction ' || v_id, decode(p ->> 'requestHash', 'hex'), a.id, v_held, 'OPEN', p ? 'limitAccount',
      ledger.business_day(v_now), 'infinity', v_now)
    returning id into v_hold;
  update ledger.transaction set status = 'Held', hold_id = v_hold where id = v_id;
  update ledger.account set suspended = suspended + v_held, updated_at = greatest(updated_at, v_now) where id = a.id;
  update ledger.spending s
    set spent = ledger.spent_on(s, ledger.business_day(v_now)) + v_held, day = ledger.business_day(v_now)
    where p ? 'limitAccount' and s.holder_id = a.holder_id;
  return query select 1, 'Pending', false, v_id, v_now, '[]'::jsonb;
end $$;

-- The second step: what is held leaves its source for its destination, with the charges, whatever the state of the account is by
-- now: the money has left already. Answers the transaction's status: Successful, or what it had become before.
create function ledger.capture(p_transaction bigint, p_now timestamptz default null) returns text language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  t ledger.transaction;
  h ledger.hold;
  a ledger.account;
  v_now timestamptz;
begin
  perform ledger.refuse_time(p_now);
  select * into strict t from ledger.transaction where id = p_transaction for no key update;
  if t.status <> 'Held' then return t.status; end if;
  select * into strict h from ledger.hold where id = t.hold_id for no key update;
  select * into strict a from ledger.account where id = t.source_id for no key update;
  v_now := coalesce(p_now, greatest(a.moved_at, date_trunc('milliseconds', clock_timestamp())));
  update ledger.transaction set status = 'Successful', completed_at = v_now where id = t.id returning * into t;
  update ledger.hold set state = 'CAPTURED', closed_at = v_now where id = h.id;
  update ledger.account set suspended = suspended - h.amount where id = a.id;
  perform ledger.write_legs(t, (
    select jsonb_agg(jsonb_build_object('account', l.account, 'amount', l.amount, 'fee', l.fee) order by l.place)
    from (
      select 1 as place, t.source_id as account, -h.amount as amount, h.amount - t.amount as fee
      union all select 2, t.destination_id, t.amount, 0
      union all select 3, x.id, c.amount, 0
        from (values ('FEE', t.fee), ('COMMISSION', t.commission), ('STAMP_DUTY', t.stamp_duty)) c(kind, amount)
          join ledger.account x on x.kind = c.kind and x.reference = lower(c.kind) and x.currency = t.currency
        where c.amount > 0) l), 1, v_now);
  return t.status;
end $$;

-- Ends a posting in two steps of which nothing moved: what is held is available again, and what was held today no longer counts
-- against today's limit. Answers the transaction's status: Voided, or what it had become before.
create function ledger.void(p_transaction bigint, p_reason text, p_now timestamptz default null) returns text language plpgsql as $$
declare
  t ledger.transaction;
begin
  perform ledger.refuse_time(p_now);
  select * into strict t from ledger.transaction where id = p_transaction for no key update;
  if t.status <> 'Held' then return t.status; end if;
  perform ledger.close_holds(array[t.hold_id], 'RELEASED', p_now);
  update ledger.transaction set status = 'Voided', void_reason = p_reason, completed_at = null where id = t.id;
  return 'Voided';
end $$;

CREATE SCHEMA "payouts";
--> statement-breakpoint
CREATE TABLE "payouts"."payout" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"transaction_id" bigint NOT NULL,
	"partner_id" uuid NOT NULL,
	"wallet" text NOT NULL,
	"provider" text NOT NULL,
	"state" text DEFAULT 'PENDING' NOT NULL,
	"amount" bigint NOT NULL,
	"bank_code" text NOT NULL,
	"bank_name" text NOT NULL,
	"account_number_sealed" "bytea" NOT NULL,
	"account_name_sealed" "bytea" NOT NULL,
	"account_index" "bytea" NOT NULL,
	"provider_reference" text NOT NULL,
	"provider_id" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone,
	"failure_reason" text,
	"failure_detail" text,
	"sent_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"reversed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_transaction" UNIQUE("transaction_id"),
	CONSTRAINT "payout_provider_reference" UNIQUE("provider_reference"),
	CONSTRAINT "payout_state" CHECK ("payouts"."payout"."state" in ('PENDING', 'SENT', 'UNKNOWN', 'SUCCESSFUL', 'FAILED', 'REVERSED')),
	CONSTRAINT "payout_sent" CHECK ("payouts"."payout"."state" in ('PENDING', 'FAILED') or "payouts"."payout"."sent_at" is not null),
	CONSTRAINT "payout_ended" CHECK (("payouts"."payout"."state" in ('SUCCESSFUL', 'FAILED', 'REVERSED')) = ("payouts"."payout"."ended_at" is not null)),
	CONSTRAINT "payout_failed" CHECK (("payouts"."payout"."state" = 'FAILED') = ("payouts"."payout"."failure_reason" is not null)),
	CONSTRAINT "payout_reversed" CHECK (("payouts"."payout"."state" = 'REVERSED') = ("payouts"."payout"."reversed_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "payouts"."payout" ADD CONSTRAINT "payout_transaction_id_transaction_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "ledger"."transaction"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts"."payout" ADD CONSTRAINT "payout_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts"."payout" ADD CONSTRAINT "payout_wallet_partner_wallet_reference_fk" FOREIGN KEY ("wallet") REFERENCES "wallets"."partner_wallet"("reference") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payout_due" ON "payouts"."payout" USING btree ("due_at") WHERE "payouts"."payout"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "payout_wallet" ON "payouts"."payout" USING btree ("wallet","id");--> statement-breakpoint
CREATE INDEX "payout_account" ON "payouts"."payout" USING btree ("account_index");
