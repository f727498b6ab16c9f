-- A KYC profile has a number of its partner's own, which is what KycProfile.ID shows. Profiles that exist keep the ID they were
-- shown with. And a wallet keeps the partner's metadata.

CREATE TABLE "wallets"."kyc_numbering" (
	"partner_id" uuid PRIMARY KEY NOT NULL,
	"last" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "wallets"."kyc_numbering" ADD CONSTRAINT "kyc_numbering_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets"."kyc_profile" ADD COLUMN "number" bigint;--> statement-breakpoint
UPDATE "wallets"."kyc_profile" SET "number" = "id";--> statement-breakpoint
INSERT INTO "wallets"."kyc_numbering" SELECT "partner_id", max("number") FROM "wallets"."kyc_profile" GROUP BY 1;--> statement-breakpoint
ALTER TABLE "wallets"."kyc_profile" ALTER COLUMN "number" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "wallets"."kyc_profile" ADD CONSTRAINT "kyc_profile_number" CHECK ("wallets"."kyc_profile"."number" between 1 and 9007199254740991);--> statement-breakpoint
ALTER TABLE "wallets"."kyc_profile" ADD CONSTRAINT "kyc_profile_numbered" UNIQUE("partner_id","number");--> statement-breakpoint
DROP INDEX "wallets"."kyc_profile_partner";--> statement-breakpoint
ALTER TABLE "wallets"."partner_wallet" ADD COLUMN "metadata" jsonb;--> statement-breakpoint

-- A number for a profile of this partner: the first one above the last we gave that no profile has. It is locked for others
-- until the transaction ends, and may be a gap for ever after.
create function wallets.next_kyc_number(p_partner uuid) returns bigint language plpgsql as $$
declare
  v_number bigint;
begin
  insert into wallets.kyc_numbering (partner_id, last) values (p_partner, 0) on conflict do nothing;
  select last + 1 into v_number from wallets.kyc_numbering where partner_id = p_partner for update;
  if exists (select from wallets.kyc_profile where partner_id = p_partner and number = v_number) then
    select p.number + 1 into v_number from wallets.kyc_profile p
      where p.partner_id = p_partner and p.number >= v_number
        and not exists (select from wallets.kyc_profile q where q.partner_id = p_partner and q.number = p.number + 1)
      order by p.number limit 1;
  end if;
  update wallets.kyc_numbering set last = v_number where partner_id = p_partner;
  return v_number;
end
$$;
