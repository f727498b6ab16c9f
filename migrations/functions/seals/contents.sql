-- How many rows of each kind are dated in a period, and their digest, which a seal signs. `p_starts` may be null: since ever.
--
-- The digest is that of the digests of chunks, each of its rows in the order of their key, as record_send writes them, which depends on no
-- setting of the session. A chunk has 4,096 keys, or 4 seconds of events, so that a busy hour takes no more memory than a quiet one.
--
-- A seal covers what never changes. Of a transaction that is whether and why it was refused, and not its status otherwise, what was
-- refunded of it, nor when it was completed. Of an event whose body was purged it is the digest of the body.
create or replace function seals.contents(p_starts timestamptz, p_ends timestamptz) returns table (name text, rows bigint, digest bytea)
language sql stable
set jit = off set work_mem = '64MB' set max_parallel_workers_per_gather = '0' as $$
  select 'entries', coalesce(sum(c.rows), 0)::bigint, sha256(coalesce(string_agg(c.digest, ''::bytea order by c.chunk), ''))
  from (
    select e.transaction_id >> 12 as chunk, count(*) as rows, sha256(string_agg(record_send((e.transaction_id, e.leg,
        e.account_id, e.amount, e.fee, e.version, e.opening, e.closing, e.business_date, e.created_at)), ''::bytea
        order by e.transaction_id, e.leg)) as digest
    from ledger.entry e
    where e.created_at >= coalesce(p_starts, '-infinity') and e.created_at < p_ends group by 1) c
  union all
  select 'transactions', coalesce(sum(c.rows), 0)::bigint, sha256(coalesce(string_agg(c.digest, ''::bytea order by c.chunk), ''))
  from (
    select t.id >> 12 as chunk, count(*) as rows, sha256(string_agg(record_send((t.id, t.owner_id, t.namer, t.reference,
        t.partner_id, t.type, t.request_hash, t.mac, t.code, t.pending_reason, t.amount, t.fee, t.commission,
        t.stamp_duty, t.currency, t.source_id, t.destination_id,
        t.external_reference, t.comment, t.metadata, t.original_id, t.created_at)), ''::bytea order by t.id)) as digest
    from ledger.transaction t
    where t.created_at >= coalesce(p_starts, '-infinity') and t.created_at < p_ends group by 1) c
  union all
  select 'events', coalesce(sum(c.rows), 0)::bigint, sha256(coalesce(string_agg(c.digest, ''::bytea order by c.chunk), ''))
  from (
    select left(v.id::text, 9) as chunk, count(*) as rows, sha256(string_agg(record_send((v.id, v.receiver_id, v.event,
        v.reference, v.subject_id, v.body_digest, v.sequence, v.created_at)), ''::bytea order by v.id)) as digest
    from (
      select n.id, n.receiver_id, n.event, n.reference, n.subject_id, n.sequence, n.created_at,
        case when n.body is null then n.body_digest else sha256(convert_to(n.body, 'UTF8')) end as body_digest
      from outbox.event n
      where n.created_at >= coalesce(p_starts, '-infinity') and n.created_at < p_ends offset 0) v group by 1) c
  union all
  select 'audit', coalesce(sum(c.rows), 0)::bigint, sha256(coalesce(string_agg(c.digest, ''::bytea order by c.chunk), ''))
  from (
    select a.id >> 12 as chunk, count(*) as rows, sha256(string_agg(record_send((a.id, a.at, a.actor, a.action, a.target,
        a.before, a.after, a.reason)), ''::bytea order by a.id)) as digest
    from audit.entry a
    where a.at >= coalesce(p_starts, '-infinity') and a.at < p_ends group by 1) c
$$;
