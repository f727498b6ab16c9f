-- The smallest UUID of version 7 at a moment: its first 48 bits are milliseconds (RFC 9562 5.7).
create or replace function webhooks.first_id_at(p_at timestamptz) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex(greatest(floor(extract(epoch from p_at) * 1000), 0)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
