-- SHA-256 of what is carried of the part that ends then: a line for each account, in the order of their ids.
create or replace function ledger.carried_digest(p_ends timestamptz) returns bytea language sql stable as $$
  select sha256(convert_to(coalesce(string_agg(concat_ws(',', c.account_id, c.entries, c.debits, c.credits, coalesce(c.opening::text, ''),
      coalesce(c.version::text, ''), coalesce(c.closing::text, ''),
      to_char(c.moved_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || E'\n', '' order by c.account_id), ''), 'UTF8'))
    from ledger.carried c where c.ends_at = p_ends
$$;
