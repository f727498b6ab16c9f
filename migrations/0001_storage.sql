-- How tables are stored, where drizzle-kit has no word for it.

-- After a crash every counter starts from zero, and no count waits for the disk.
alter table throttles.counter set unlogged;

-- Free space in each page for the next version of an account: a balance then changes without touching an index.
alter table ledger.account set (fillfactor = 60);

-- An attempt is written when it begins and again when it ends: with free space beside it, its end touches no index.
alter table webhooks.attempt set (fillfactor = 50);
