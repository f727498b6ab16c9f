-- Outcomes are written by one statement for all of them.
drop function outbox.record_outcome(uuid, int, text, int, int, int, text, bytea);--> statement-breakpoint

-- Each attempt is written twice, when it begins and when it ends: with room beside it, its end touches no index.
alter table outbox.attempt set (fillfactor = 50);
