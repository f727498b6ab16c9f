-- What a shard has beside our schema: what it owes each other shard and is owed by it, and what it has to tell them.
create schema shard;

create table shard.message (
  id bigint generated always as identity primary key,
  to_shard integer not null,
  posting jsonb not null
);

-- Posts here, and has another shard post the other half: both in one transaction, as the outbox writes an event with its posting.
create function shard.send(p_transfers jsonb)
returns table (ordinal integer, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb)
language plpgsql as $$
begin
  return query
    with asked as materialized (
      select n, transfer from jsonb_array_elements(p_transfers) with ordinality as t (transfer, n)
    ), posted as materialized (
      select * from ledger.post((select jsonb_agg(transfer -> 'posting' order by n) from asked))
    ), told as (
      insert into shard.message (to_shard, posting)
        select (transfer ->> 'to')::integer, transfer -> 'arrival' from posted p join asked on n = p.ordinal
        where p.outcome = 'Successful' and not p.replayed order by n
    )
    select * from posted;
end $$;
