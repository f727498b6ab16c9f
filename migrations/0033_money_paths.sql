-- What a payment needs to know is found in one statement.

-- Whoever has a PayTag, by its handle. A closed PayTag is nobody's.
create function customers.payee(p_handle text) returns table (customer_id uuid, is_suspended boolean)
language sql stable as $$
  select c.id, t.status = 'SUSPENDED'
    from tags.tag t join customers.customer c on c.tag_id = t.id
   where t.handle = p_handle and t.released_at is null and t.status <> 'CLOSED'
$$;
