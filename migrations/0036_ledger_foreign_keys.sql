-- Foreign keys are enforced again, which 0029 had left to the checks of the books: those inside the ledger, and that of a delivery on
-- its event. Those on outbox.receiver stay as they are: each posting would lock a row that all postings of its partner share.
alter table ledger.entry alter constraint entry_account_id_account_id_fk enforced;
alter table ledger.entry alter constraint entry_transaction_id_transaction_id_fk enforced;
alter table ledger.deferred_delta alter constraint deferred_delta_account_id_account_id_fk enforced;
alter table webhooks.delivery alter constraint delivery_event_id_event_id_fk enforced;
