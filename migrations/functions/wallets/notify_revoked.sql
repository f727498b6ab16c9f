-- Makes all processes forget a wallet that was revoked: they remember which accounts a partner's movements are between. Where that
-- comes too late, the ledger refuses: the account is closed.
create or replace function wallets.notify_revoked() returns trigger language plpgsql as $$
begin
  perform pg_notify('paytag_changes', 'wallets ' || new.partner_id || '/' || new.reference);
  return null;
end $$;

create or replace trigger notify_revoked after update of revoked_at on wallets.partner_wallet for each row
  when (new.revoked_at is not null) execute function wallets.notify_revoked();
