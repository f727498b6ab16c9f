-- Outside a transaction: it reads every request and every notice, and nobody waits for it.
-- Servers from 0109 on work with it.
-- Of the constraints that 0110 put in the place of others.
alter table approvals.approval validate constraint approval_four_eyes;--> statement-breakpoint
alter table notices.notice validate constraint notice_kind;
