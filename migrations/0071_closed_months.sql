-- Servers from 0058 on work with it.
-- Months that are closed: their entries go into files, and what they come to is carried on, a row for each account that they moved.

CREATE TABLE "ledger"."archive" (
	"ends_at" timestamp (3) with time zone PRIMARY KEY NOT NULL,
	"starts_at" timestamp (3) with time zone,
	"part" text NOT NULL,
	"entries" bigint NOT NULL,
	"manifest_digest" "bytea" NOT NULL,
	"carried_digest" "bytea" NOT NULL,
	"archived_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "archive_part_unique" UNIQUE("part")
);
--> statement-breakpoint
CREATE TABLE "ledger"."carried" (
	"account_id" bigint NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"entries" bigint NOT NULL,
	"debits" bigint NOT NULL,
	"credits" bigint NOT NULL,
	"opening" bigint,
	"version" bigint,
	"closing" bigint,
	"moved_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "carried_account_id_ends_at_pk" PRIMARY KEY("account_id","ends_at"),
	CONSTRAINT "carried_ends_at_archive_ends_at_fk" FOREIGN KEY ("ends_at") REFERENCES "ledger"."archive"("ends_at"),
	CONSTRAINT "carried_sound" CHECK ("ledger"."carried"."entries" > 0 and least("ledger"."carried"."debits", "ledger"."carried"."credits") >= 0
        and case when "ledger"."carried"."version" is null then num_nonnulls("ledger"."carried"."opening", "ledger"."carried"."closing") = 0
          else coalesce("ledger"."carried"."closing" = "ledger"."carried"."opening" + "ledger"."carried"."credits" - "ledger"."carried"."debits", false) end)
);
--> statement-breakpoint
create trigger archive_immutable before update or delete or truncate on ledger.archive
  for each statement execute function ledger.refuse_change();--> statement-breakpoint
create trigger carried_immutable before update or delete or truncate on ledger.carried
  for each statement execute function ledger.refuse_change();--> statement-breakpoint

-- Nothing that is dated before is among the entries any more: what is told of older ones is told from what is carried.
create function ledger.archived_until() returns timestamptz language sql stable as $$
  select coalesce(max(ends_at), '-infinity') from ledger.archive
$$;--> statement-breakpoint

-- SHA-256 of what is carried of the part that ends then: a line for each account, in the order of their ids.
create function ledger.carried_digest(p_ends timestamptz) returns bytea language sql stable as $$
  select sha256(convert_to(coalesce(string_agg(concat_ws(',', c.account_id, c.entries, c.debits, c.credits, coalesce(c.opening::text, ''),
      coalesce(c.version::text, ''), coalesce(c.closing::text, ''),
      to_char(c.moved_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || E'\n', '' order by c.account_id), ''), 'UTF8'))
    from ledger.carried c where c.ends_at = p_ends
$$;
