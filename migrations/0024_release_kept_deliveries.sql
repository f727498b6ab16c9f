-- Makes due up to `p_limit` deliveries that were kept for a receiver, the oldest first, and says how many. The receiver is
-- locked: nobody else releases meanwhile, and nobody writes another that is kept.
create function outbox.release_kept(p_receiver uuid, p_limit int) returns int language plpgsql as $$
declare
  released int;
begin
  perform from outbox.receiver where id = p_receiver and releasing for no key update;
  if not found then
    return 0;
  end if;
  update outbox.delivery d set due_at = date_trunc('milliseconds', now())
    from (select k.id from outbox.delivery k
           where k.receiver_id = p_receiver and k.status = 'PENDING' and k.due_at is null
           order by k.receiver_id, k.id limit p_limit) kept
   where d.id = kept.id;
  get diagnostics released = row_count;
  if released < p_limit then
    update outbox.receiver set releasing = false where id = p_receiver;
  end if;
  return released;
end $$;--> statement-breakpoint

-- What was kept for a receiver becomes due when something can be sent to it again: here no more of it than takes a moment,
-- for whoever tells it something waits for this transaction. The workers release the rest. Nothing has to change when
-- nothing can be sent any more: a claim looks for itself.
create or replace function outbox.receiver_changed() returns trigger language plpgsql as $$
begin
  update outbox.receiver set releasing = outbox.deliverable(new) where id = new.id;
  perform outbox.release_kept(new.id, 500);
  return null;
end $$;
