-- Outside a transaction: it reads every entry, and nobody waits for it.
-- Servers from 0058 on work with it.
alter table ledger.entry validate constraint entry_until;
