-- Fills the tables of a migrated database as years of use would: straight, as their owner, while no trigger runs and nothing
-- is checked. generate.ts runs one statement after another, and says by what scale.
--
-- Partners, receivers and applications are those that are there. The first partner has half of what is made. A tenth of the
-- postings are on the wallets that it had; all others are on wallets that are made here. A tenth of the deliveries wait for its
-- receiver's next attempt, a sixth of the offers wait for the first application, and half of the splits are of the first terminal.

create temp table size as
  select (1000000 * scale)::int as customers, (4500000 * scale)::int as on_new, (500000 * scale)::int as on_old,
    (5000000 * scale)::int as deliveries, (500000 * scale)::int as offers, (250000 * scale)::int as claims,
    (500000 * scale)::int as splits,
    (select coalesce(max(id), 0) from ledger.account) as accounts_before,
    (select coalesce(max(id), 0) from ledger.transaction) as transactions_before,
    (select coalesce(max(id), 0) from wallets.partner_wallet) as wallets_before,
    (select coalesce(max(id), 0) from terminals.terminal) as terminals_before,
    (select min(id) from terminals.terminal) as first_terminal
  from (select current_setting('bench.scale')::numeric as scale) given;

create temp table partner as
  select id, row_number() over (order by id) - 1 as place, count(*) over () as all_of_them from partners.partner;

create temp table application as
  select id, row_number() over (order by id) - 1 as place, count(*) over () as all_of_them
    from applications.application where not built_in;

create temp table receiver as
  select r.id, row_number() over (order by p.place, r.id) - 1 as place, count(*) over () as all_of_them
    from outbox.receiver r left join partner p on p.id = r.owner_id;

create temp table person as
  select i, p.id as partner_id, s.accounts_before + i as account_id,
    ('01900000-0000-7001-8000-' || lpad(to_hex(i), 12, '0'))::uuid as subject_id,
    ('01900000-0000-7002-8000-' || lpad(to_hex(i), 12, '0'))::uuid as tag_id,
    ('01900000-0000-7003-8000-' || lpad(to_hex(i), 12, '0'))::uuid as customer_id,
    now() - make_interval(secs => (s.customers - i + 1) * 60000000.0 / s.customers) as created_at
  from size s, lateral generate_series(1, s.customers) i, partner p
  where p.place = case when i % 2 = 0 then 0 else (i / 2) % p.all_of_them end;

insert into applications.subject (id, application_id, external_id, display_name, created_at, routing_mac)
  select subject_id, '7a79a6f0-0000-4000-8000-000000000001', customer_id::text, 'Ada Obi ' || i, created_at, '\x00' from person;

insert into tags.tag (id, handle, subject_id, created_by_app_id, created_at, updated_at, routing_mac)
  select tag_id, 'large' || i, subject_id, '7a79a6f0-0000-4000-8000-000000000001', created_at, created_at, '\x00' from person;

insert into customers.customer (id, tag_id, bvn_sealed, bvn_index, phone_index, first_name, last_name, created_at, updated_at, routing_mac)
  select customer_id, tag_id, '\x00', sha256(('bvn' || i)::bytea), sha256(('phone' || i)::bytea), 'Ada', 'Obi', created_at, created_at, '\x00'
    from person;

insert into ledger.account (id, kind, partner_id, reference, currency, floor, emits, holder_id, posted, version, created_at, updated_at, moved_at, routing_mac)
  overriding system value
  select account_id, 'WALLET', partner_id, 'PW-large-' || i, 'NGN', 0, true, customer_id, 100 * moved, moved, created_at, now(), now(), '\x00'
    from person, size s, lateral (select (s.on_new - i + s.customers) / s.customers as moved) m;

insert into wallets.partner_wallet (id, reference, partner_id, customer_id, account_id, nuban, is_primary, tier, created_at, updated_at, routing_mac)
  overriding system value
  select s.wallets_before + i, 'PW-large-' || i, partner_id, customer_id, account_id, '9' || lpad(i::text, 9, '0'), true, 2, created_at, created_at, '\x00'
    from person, size s;

create temp table old_wallet as
  select w.account_id, w.partner_id, a.posted, a.version, row_number() over (order by w.id) - 1 as place, count(*) over () as all_of_them
    from wallets.partner_wallet w join ledger.account a on a.id = w.account_id, size s
   where w.id <= s.wallets_before and a.currency = 'NGN' and w.partner_id = (select id from partner where place = 0);

create temp table movement as
  select s.transactions_before + round * s.customers + p.i as id, p.account_id, p.partner_id, round + 1 as version, 100 * round as opening,
      now() - make_interval(secs => (s.on_new - round * s.customers - p.i + 1) * 30000000.0 / s.on_new) as created_at
    from size s, lateral generate_series(0, s.on_new / s.customers) round, person p
   where round * s.customers + p.i <= s.on_new
  union all
  select s.transactions_before + s.on_new + i, w.account_id, w.partner_id, w.version + (i - 1) / w.all_of_them + 1,
      w.posted + 100 * ((i - 1) / w.all_of_them), now()
    from size s, lateral generate_series(1, s.on_old) i, old_wallet w where w.place = (i - 1) % w.all_of_them
  order by id;

insert into ledger.transaction (id, owner_id, namer, reference, partner_id, type, status, request_hash, amount, currency, source_id, destination_id,
    created_at, completed_at, mac)
  overriding system value
  select id, partner_id, 'RAIL', 'large-' || id, partner_id, 'INBOUND', 'Successful', '\x00', 100, 'NGN', 1, account_id, created_at, created_at, '\x00'
    from movement order by id;

insert into ledger.entry (transaction_id, leg, account_id, amount, version, opening, closing, business_date, created_at)
  select id, leg, case leg when 1 then 1 else account_id end, case leg when 1 then -100 else 100 end, case leg when 2 then version end,
      case leg when 2 then opening end, case leg when 2 then opening + 100 end, created_at::date, created_at
    from movement, generate_series(1, 2) leg order by id, leg;

update ledger.account a set posted = a.posted + 100 * moved, version = a.version + moved, moved_at = now(), updated_at = now()
  from (select account_id, count(*) as moved from movement group by account_id) m, size s
 where a.id = m.account_id and a.id <= s.accounts_before;

update ledger.account set posted = posted - 100 * (select count(*) from movement) where id = 1;

create temp table past_event as
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(i), 15, '0'))::uuid as id, i, r.id as receiver_id, at,
      case when i % 1000 = 0 then 'FAILED' when i % 10 = 6 then 'PENDING' else 'DELIVERED' end as status
    from size s, lateral generate_series(1, s.deliveries) i,
      lateral (select now() - make_interval(secs => (s.deliveries - i + 1) * 2500000.0 / s.deliveries) as at) t, receiver r
   where r.place = case when i % 2 = 0 then 0 else (i / 2) % r.all_of_them end
   order by i;

insert into outbox.event (id, receiver_id, event, reference, sequence, created_at, body_digest)
  select id, receiver_id, case when i % 3 = 0 then 'wallet.debited' else 'wallet.credited' end, 'PW-large-' || i, i, at, '\x00'
    from past_event order by i;

insert into webhooks.delivery (id, event_id, receiver_id, status, attempts, due_at, last_error, last_attempt_at, delivered_at, purged_at, created_at, updated_at)
  select id, id, receiver_id, status, case status when 'FAILED' then 5 when 'PENDING' then 2 else 1 end, case status when 'PENDING' then now() + interval '1 day' end,
      case when status <> 'DELIVERED' then 'status 503' end, at, case status when 'DELIVERED' then at end, case when status <> 'PENDING' then now() end, at, at
    from past_event order by i;

insert into webhooks.attempt (delivery_id, number, at, status_code, duration_ms)
  select id, 1, at, case status when 'DELIVERED' then 200 else 503 end, 12 from past_event order by i;

insert into tag_transactions.tag_transaction (id, reference, request_hash, sender_app_id, receiver_app_id, sender_tag, receiver_tag, amount, fee,
    currency, status, expires_at, accepted_at, created_at, updated_at, routing_mac)
  select uuidv7(at - now()), 'large-' || i, '\x00', one.id, other.id, 'large1', 'large2', 100, 0, 'NGN', case when waits then 'AWAITING_ACCEPTANCE' else 'ACCEPTED' end,
      case when waits then now() + interval '3 days' else at + interval '3 days' end, case when not waits then at end, at, at, '\x00'
    from size s, lateral generate_series(1, s.offers) i,
      lateral (select now() - make_interval(secs => (s.offers - i + 1) * 2500000.0 / s.offers) as at, i % 6 = 0 as waits) t, application one, application other
   where case when waits then one.place = 1 and other.place = 0
       else one.place = i % one.all_of_them and other.place = (i + 1) % other.all_of_them end
   order by i;

insert into claims.claim (tag_id, subject_id, requested_by_app_id, state, token_digest, token_expires_at, requested_at, approved_at, updated_at, routing_mac)
  select p.tag_id, p.subject_id, a.id, 'APPROVED', sha256(('claim' || i)::bytea), created_at, created_at, created_at, created_at, '\x00'
    from person p, application a, size s where p.i <= s.claims and a.place = p.i % a.all_of_them;

insert into sessions.session (id, partner_id, customer_id, issued_at, expires_at)
  select ('01900000-0000-7004-8000-' || lpad(to_hex(i), 12, '0'))::uuid, partner_id, customer_id, created_at, created_at + interval '30 minutes' from person;

insert into sessions.prior_login (partner_id, customer_id, since) select partner_id, customer_id, created_at from person;

insert into beneficiaries.beneficiary (partner_id, customer_id, payee_id, last_paid_at)
  select p.partner_id, p.customer_id, q.customer_id, p.created_at from person p join person q on q.i = p.i - 1;

insert into terminals.terminal (id, serial_number, partner_id, routing_mac) overriding system value
  select s.terminals_before + i, 'LARGE-' || i, p.id, '\x00'
    from size s, lateral generate_series(1, s.splits / 4 + 1) i, partner p
   where p.place = case when i % 2 = 0 then 0 else (i / 2) % p.all_of_them end;

insert into terminals.split (terminal_id, reference, amount, title, routing_mac)
  select case when i % 2 = 0 then coalesce(s.first_terminal, s.terminals_before + 1) else s.terminals_before + (i - 1) % (s.splits / 4 + 1) + 1 end, 'large-' || i, 100, 'Rent', '\x00'
    from size s, lateral generate_series(1, s.splits) i order by i;

insert into audit.entry (at, actor, action, target)
  select created_at, 'operator:large', 'wallet.status', 'wallet:PW-large-' || i from person order by i;

select setval(pg_get_serial_sequence('ledger.account', 'id'), (select max(id) from ledger.account)),
  setval(pg_get_serial_sequence('ledger.transaction', 'id'), (select max(id) from ledger.transaction)),
  setval(pg_get_serial_sequence('wallets.partner_wallet', 'id'), (select max(id) from wallets.partner_wallet)),
  setval(pg_get_serial_sequence('terminals.terminal', 'id'), (select max(id) from terminals.terminal));
