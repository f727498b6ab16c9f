-- The checks of what must be true of the stored rows: what ran, when, and what it found.
create schema integrity;

create table integrity.run (
  id bigint primary key generated always as identity,
  since timestamptz(3),
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  ok boolean not null,
  results jsonb not null
);
create index run_started on integrity.run using btree (started_at);

-- Refunds by what they refund.
create index transaction_original on ledger.transaction using btree (original_id) where original_id is not null;
