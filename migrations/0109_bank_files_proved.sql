-- Servers from 0108 on work with it.
-- A file of a bank says what proves its lines, and a line what was on the account after it: two that say the same are told apart by it.

alter table reconciliation.import add column proved_by text[] default '{}' not null;
alter table reconciliation.item add column bank_balance bigint;
alter table reconciliation.item add column statement text;

-- These were read by opening and closing balance, and nothing else was taken.
update reconciliation.import set proved_by = '{OPENING_AND_CLOSING}' where format <> 'CSV';
