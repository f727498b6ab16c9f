-- What operators list besides, after large.sql and in its session: partners with receivers, what waits and is older than all that
-- is done, and what is rare among much that is done. Payouts have the account of one that was there, and are left out without it.

create temp table more as select greatest(customers / 50, 20) as owners, greatest(customers / 4, 100) as records from size;

create temp table owner as
  select i, ('01900000-0000-7005-8000-' || lpad(to_hex(i), 12, '0'))::uuid as id, ('01900000-0000-7006-8000-' || lpad(to_hex(i), 12, '0'))::uuid as receiver_id
    from more m, lateral generate_series(1, m.owners) i;

insert into partners.partner (id, name, redirect_url, client_id_digest, routing_mac)
  select id, 'Large ' || i, 'https://partner.example/callback', sha256(('large' || i)::bytea), '\x00' from owner;

insert into outbox.receiver (id, owner_id, owner_kind, url, client_id_sealed, secret_sealed, routing_mac)
  select receiver_id, id, 'PARTNER', 'https://partner.example/hooks', '\x00', '\x00', '\x00' from owner;

insert into webhooks.pause (receiver_id, paused_by, reason) select receiver_id, 'OWNER', 'they move house' from owner where i % 500 = 0;

insert into webhooks.breaker (receiver_id, failures, failing_since, last_failed_at, openings, open_until)
  select receiver_id, 7, now(), now(), 1, now() + interval '1 day' from owner where i % 300 = 0;

create temp table waiting as
  select ('01980000-0000-7007-8000-' || lpad(to_hex(o.i), 12, '0'))::uuid as id, o.receiver_id, o.i % 500 = 0 as is_held from owner o where o.i % 5 = 0;

insert into outbox.event (id, receiver_id, event, reference, sequence, body_digest)
  select id, receiver_id, 'wallet.credited', 'PW-waiting', 1, '\x00' from waiting;

insert into webhooks.delivery (id, event_id, receiver_id, due_at)
  select id, id, receiver_id, case when not is_held then now() + interval '1 day' end from waiting;

create temp table record as
  select p.i, p.partner_id, 'PW-large-' || p.i as wallet, p.account_id, s.transactions_before + p.i as transaction_id, p.created_at as at
    from more m, size s, person p where p.i <= m.records;

insert into payouts.payout (transaction_id, partner_id, wallet, provider, state, amount, bank_code, bank_name, account_number_sealed, account_name_sealed,
    account_index, provider_reference, failure_reason, sent_at, ended_at, created_at, updated_at)
  select transaction_id, partner_id, wallet, 'simulator', state, 100, '058', 'GTBank', account_number_sealed, account_name_sealed, sha256('account'), 'large-' || i,
      case state when 'FAILED' then 'REFUSED' end, at, case when state <> 'UNKNOWN' then at end, at, at
    from record, lateral (select case when i % 10000 = 77 then 'UNKNOWN' when i % 100 = 1 then 'FAILED' else 'SUCCESSFUL' end as state) s,
      (select account_number_sealed, account_name_sealed from payouts.payout limit 1) sealed order by i;

insert into disputes.dispute (transaction_id, partner_id, wallet, account_id, amount, currency, state, reason, lien_id, respond_by, decision, created_at,
    decided_at, refunded_before)
  select transaction_id, partner_id, wallet, account_id, 100, 'NGN', state, 'not theirs', -i, at + interval '5 days', case state when 'WON' then 'it was' end, at,
      case state when 'WON' then at end, 0
    from record, lateral (select case when i % 1000 = 77 then 'OPEN' else 'WON' end as state) s where i % 4 = 1 order by i;

insert into approvals.approval (operation, status, digest, requested_by, requested_by_name, created_at, expires_at, decided_by, decided_by_name, decided_at, ended_at)
  select 'POST /partners/:id/float', case when i % 10000 = 77 then 'PENDING' else 'EXECUTED' end, sha256(('large' || i)::bytea), 'root', 'root', at,
      at + interval '1 day', 'another', 'Another', at, at
    from record where i % 4 = 1 order by i;

insert into inbox.message (provider, origin, digest, event, kind, reference, amount, currency, state, difference, received_at, ended_at, updated_at)
  select 'paystack', 'HOOK', sha256(('large' || i)::bytea), 'charge.success', 'CHARGE', 'large-' || i, 100, 'NGN', state,
      case state when 'DIFFERENT' then 'ACCOUNT_UNKNOWN' end, at, case state when 'BOOKED' then at end, at
    from record, lateral (select case when i % 10000 = 77 then 'DIFFERENT' else 'BOOKED' end as state) s order by i;

insert into reconciliation.import (id, rail, format, digest, from_day, to_day, lines, credits, debits, tolerance_days, imported_by, created_at)
  select '01900000-0000-7008-8000-000000000000', 'BANK', 'CSV', '\x00', current_date, current_date, records, 0, 0, 0, 'root', now() from more;

insert into reconciliation.item (rail, status, import_id, line, place, bank_day, bank_amount, line_digest, transaction_id, our_day, our_amount, created_at, updated_at)
  select 'BANK', case when is_alone then 'THEIRS_ALONE' else 'MATCHED' end, '01900000-0000-7008-8000-000000000000', i, i, current_date, 100, sha256(i::text::bytea),
      case when not is_alone then transaction_id end, case when not is_alone then current_date end, case when not is_alone then 100 end, at, at
    from record, lateral (select i % 10000 = 77 as is_alone) s order by i;

insert into throttles.counter (key, spent, closed_until, expires_at, name, about)
  select sha256(i::text::bytea), 9, now() + interval '1 day', now() + interval '2 days', 'logins', partner_id::text from record where i % 100 = 1;
