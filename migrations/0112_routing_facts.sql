-- No server from before works with it: a wallet is written with its MAC.
-- What of a wallet decides where money goes has a MAC by a key that the database does not have.

do $$ begin
  if exists (select from wallets.partner_wallet) then
    raise exception 'this database is of a version that kept no MACs of its wallets, and none can be made of what may have been changed since. Begin with an empty database (of the sandbox: delete its DATA_DIR)';
  end if;
end $$;
--> statement-breakpoint
ALTER TABLE "wallets"."partner_wallet" ADD COLUMN "routing_mac" "bytea" NOT NULL;
