import type { Database } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

/** What the public may see of a tag. Nothing else is read, so that nothing else is shown by mistake. */
export interface DirectoryRow {
  handle: string;
  namespace: string;
  id: string;
  status: 'ACTIVE' | 'SUSPENDED';
  createdAtMs: number;
  subjectId: string;
  displayName: string | null;
  imageUrl: string | null;
  subjectCreatedAtMs: number;
  ownerAppId: string;
  ownerAppName: string;
  creatorId: string;
  creatorName: string;
  /** False for a suspended tag, whatever was consented to. */
  hasClaims: boolean;
  /** With `hasClaims`: the approved claims, the newest of them, newest first. */
  claims?: PublicClaim[];
}

/** A claim that the owner consented to, as anybody may see it. */
export interface PublicClaim {
  id: string;
  tagId: string;
  tagString: string;
  subjectId: string;
  requestedByAppId: string;
  requestedByAppName: string;
  state: 'APPROVED';
  requestedAtMs: number;
  approvedAtMs: number;
}

/** The most claims of a tag in one answer, however many consents were given on it. */
export const CLAIMS_MAX = 100;

// The sub-select hides the number of handles from the planner, which would otherwise plan each read of a few again, at more
// than the cost of the read. date_part gives a float8, where extract would make a numeric.
const READ = `
select t.handle, o.namespace, t.id, case when o.status = 'ACTIVE' then t.status else 'SUSPENDED' end as status,
       date_part('epoch', t.created_at) * 1000 as "createdAtMs", s.id as "subjectId", s.display_name as "displayName",
       s.image_url as "imageUrl", date_part('epoch', s.created_at) * 1000 as "subjectCreatedAtMs",
       o.id as "ownerAppId", o.name as "ownerAppName", c.id as "creatorId", c.name as "creatorName",
       t.status = 'ACTIVE' and o.status = 'ACTIVE'
         and exists (select from claims.claim where tag_id = t.id and state = 'APPROVED') as "hasClaims"
  from tags.tag t
  join applications.subject s on s.id = t.subject_id
  join applications.application o on o.id = s.application_id
  join applications.application c on c.id = t.created_by_app_id
 where t.handle = any((select $1::text[])::text[]) and t.released_at is null and t.status <> 'CLOSED'`;

const READ_CLAIMS = `
select k.id, k.tag_id as "tagId", t.handle as "tagString", k.subject_id as "subjectId",
       k.requested_by_app_id as "requestedByAppId", r.name as "requestedByAppName", k.state,
       date_part('epoch', k.requested_at) * 1000 as "requestedAtMs",
       date_part('epoch', k.approved_at) * 1000 as "approvedAtMs"
  from tags.tag t
 cross join lateral (select * from claims.claim where tag_id = t.id and state = 'APPROVED'
                      order by id desc limit ${CLAIMS_MAX}) k
  join applications.application r on r.id = k.requested_by_app_id
 where t.id = any((select $1::uuid[])::uuid[])
 order by k.id desc`;

const selectTags = preparedText<DirectoryRow>('claims.directory', READ);
const selectClaims = preparedText<PublicClaim>('claims.directory-claims', READ_CLAIMS);

/** The tags with these handles, in one read; a second reads the claims of those that have any. Most have none. */
export async function selectPublic(db: Database, handles: readonly string[]): Promise<DirectoryRow[]> {
  const rows = await selectTags(db, [handles]);
  const claimed = rows.filter(({ hasClaims }) => hasClaims);
  if (claimed.length === 0) return rows;
  const ids = claimed.map(({ id }) => id);
  const claims = Map.groupBy(await selectClaims(db, [ids]), ({ tagId }) => tagId);
  for (const tag of claimed) tag.claims = claims.get(tag.id) ?? [];
  return rows;
}
