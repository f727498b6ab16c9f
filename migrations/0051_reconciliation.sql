-- Reconciliation: files of banks, and what became of their lines and of our postings. And the account of what banks took or
-- paid without our books knowing why.

insert into ledger.account (id, kind, reference, currency, lock_mode) overriding system value
select 20 + row_number() over (order by c.place), 'DIFFERENCE', 'difference', c.currency, 'deferred'
from unnest(array['NGN', 'FP']) with ordinality c(currency, place);

create schema reconciliation;

create table reconciliation.import (
  id uuid primary key default uuidv7() not null,
  rail text not null,
  format text not null,
  digest bytea not null,
  account text,
  from_day date not null,
  to_day date not null,
  opening bigint,
  closing bigint,
  lines integer not null,
  credits bigint not null,
  debits bigint not null,
  tolerance_days smallint not null,
  imported_by text not null,
  created_at timestamp(3) with time zone not null,
  constraint import_digest unique (rail, digest),
  constraint import_days check ("reconciliation"."import"."from_day" <= "reconciliation"."import"."to_day"),
  constraint import_ties check ("reconciliation"."import"."credits" >= 0 and "reconciliation"."import"."debits" <= 0 and ("reconciliation"."import"."opening" is null) = ("reconciliation"."import"."closing" is null)
        and coalesce("reconciliation"."import"."opening" + "reconciliation"."import"."credits" + "reconciliation"."import"."debits" = "reconciliation"."import"."closing", true))
);

create table reconciliation.item (
  id uuid primary key default uuidv7() not null,
  rail text not null,
  status text not null,
  import_id uuid not null references reconciliation.import (id),
  line integer,
  place integer,
  bank_day date,
  bank_amount bigint,
  said_sealed bytea,
  line_digest bytea,
  transaction_id bigint references ledger.transaction (id),
  our_day date,
  our_amount bigint,
  adjustment_id bigint references ledger.transaction (id),
  action text,
  reason text,
  resolved_by text,
  resolved_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint item_status check (status in ('OURS_ALONE', 'THEIRS_ALONE', 'DUPLICATE', 'AMOUNT_DIFFERS', 'DAY_DIFFERS', 'TIMING', 'MATCHED', 'REPEATED', 'RESOLVED')),
  constraint item_sides check (num_nonnulls(line, place, bank_day, bank_amount, line_digest) in (0, 5)
        and num_nonnulls(transaction_id, our_day, our_amount) in (0, 3)
        and case status
          when 'OURS_ALONE' then line is null and transaction_id is not null
          when 'THEIRS_ALONE' then line is not null and transaction_id is null
          when 'DUPLICATE' then line is not null and transaction_id is null
          when 'REPEATED' then line is not null and transaction_id is null
          when 'TIMING' then num_nonnulls(line, transaction_id) = 1
          when 'RESOLVED' then num_nonnulls(line, transaction_id) > 0
          else line is not null and transaction_id is not null end),
  constraint item_equal check (status not in ('MATCHED', 'DAY_DIFFERS') or bank_amount = our_amount),
  constraint item_resolved check ((status = 'RESOLVED') = (adjustment_id is not null)),
  constraint item_action check (num_nonnulls(action, reason, resolved_by, resolved_at) in (0, 4))
);
create unique index item_transaction on reconciliation.item (rail, transaction_id) where transaction_id is not null;
create unique index item_adjustment on reconciliation.item (adjustment_id) where adjustment_id is not null;
create unique index item_place on reconciliation.item (import_id, place) where place is not null;
create index item_digest on reconciliation.item (line_digest) where line_digest is not null;
create index item_import on reconciliation.item (import_id, id);
create index item_status on reconciliation.item (rail, status, id);
create index item_said on reconciliation.item (created_at) where said_sealed is not null;

-- What a bank says stays: only what is kept of a posting alone is deleted, when a line has it.
create function reconciliation.refuse_loss() returns trigger
language plpgsql as $$
begin
  if old.line is not null then raise exception 'a line of a bank is never deleted'; end if;
  return old;
end $$;
create trigger item_stays before delete on reconciliation.item for each row execute function reconciliation.refuse_loss();
