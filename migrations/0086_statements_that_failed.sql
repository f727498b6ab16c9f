-- Servers from 0058 on work with it.
-- What a statement that was asked for failed for.
alter table "statements"."requested" add column "failure_reason" text;
