import type { Database } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

/**
 * Whether the address is new to a credential that was used before, or to the owner of one whose first use it is; every statement sees
 * the table as it was at its start.
 */
const note = preparedText<{ inserted: boolean; used_before: boolean }>(
  'known-addresses.note',
  `with before as (select from known_addresses.known_address where credential = $1 limit 1),
       of_owner as (select from known_addresses.known_address where credential = $4 limit 1),
       from_here as (select from known_addresses.known_address where credential = $4 and digest = $5),
       by_owner as (
         insert into known_addresses.known_address (credential, digest, last_used_at) select $4, $5, $3 where $4 <> $1
         on conflict (credential, digest) do update set last_used_at = greatest(known_address.last_used_at, excluded.last_used_at)),
       written as (
         insert into known_addresses.known_address (credential, digest, last_used_at) values ($1, $2, $3)
         on conflict (credential, digest) do update set last_used_at = greatest(known_address.last_used_at, excluded.last_used_at)
         returning xmax = 0 as inserted)
  select inserted, exists (select from before) or (exists (select from of_owner) and not exists (select from from_here)) as used_before
    from written`,
  { writes: true },
);

/** Forgets of one credential all addresses but those that were used last. */
const bound = preparedText(
  'known-addresses.bound',
  `delete from known_addresses.known_address k where k.credential = $1 and k.digest in (
    select digest from known_addresses.known_address where credential = $1 order by last_used_at desc offset $2)`,
  { writes: true },
);

/** Notes that a credential was used from an address. Of many at once, one inserts it. */
export async function noteAddress(
  db: Database,
  {
    credential,
    digest,
    owner,
    usedAt,
  }: { credential: string; digest: Buffer; owner: { credential: string; digest: Buffer }; usedAt: Date },
  addressesMax: number,
): Promise<{ isNew: boolean; usedBefore: boolean }> {
  const rows = await note(db, [credential, digest, usedAt, owner.credential, owner.digest]);
  const [{ inserted, used_before: usedBefore } = { inserted: false, used_before: false }] = rows;
  if (inserted && usedBefore)
    for (const one of new Set([credential, owner.credential])) await bound(db, [one, addressesMax]);
  return { isNew: inserted, usedBefore };
}
