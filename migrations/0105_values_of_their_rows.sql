-- No server from before works with it: what is sealed is bound to its row, and what was sealed before opens no more.
-- How many values a data key has sealed, added up by the processes that seal with it.

ALTER TABLE "data_keys"."data_key" ADD COLUMN "sealed" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
do $$ begin
  if exists (select from data_keys.data_key) then
    raise exception 'this database is of a version whose sealed values were not bound to their rows: they cannot be opened any more. Begin with an empty database (of the sandbox: delete its DATA_DIR)';
  end if;
end $$;
--> statement-breakpoint
create function data_keys.count_sealed(p_id int, p_more bigint) returns void language sql as $$
  update data_keys.data_key set sealed = sealed + p_more where id = p_id and p_more > 0
$$;
