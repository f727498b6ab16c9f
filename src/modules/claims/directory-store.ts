import type { Pool } from 'pg';

/** What the public may see of a tag, and nothing else: what is not read cannot be given away. */
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
  /** The approved claims, the newest of them, newest first; null when there is none. */
  claims: PublicClaim[] | null;
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

/** In one answer at most: whoever reads a tag reads no more, however many consents were given on it. */
export const CLAIMS_MAX = 100;

// Every join is by key and lateral with a limit: a plan made while the tables were small does not scan them when large.
// Most tags have no claim: looking whether there is one costs less than gathering none.
const READ = `
select t.handle, o.namespace, t.id, case when o.status = 'ACTIVE' then t.status else 'SUSPENDED' end as status,
       extract(epoch from t.created_at)::float8 * 1000 as "createdAtMs",
       s.id as "subjectId", s.display_name as "displayName", s.image_url as "imageUrl",
       extract(epoch from s.created_at)::float8 * 1000 as "subjectCreatedAtMs", o.id as "ownerAppId",
       o.name as "ownerAppName", c.id as "creatorId", c.name as "creatorName",
       case when t.status = 'ACTIVE' and o.status = 'ACTIVE'
             and exists (select from claims.claim where tag_id = t.id and state = 'APPROVED')
            then (select json_agg(json_build_object('id', k.id, 'tagId', k.tag_id, 'tagString', t.handle,
                           'subjectId', k.subject_id, 'requestedByAppId', k.requested_by_app_id,
                           'requestedByAppName', r.name, 'state', k.state,
                           'requestedAtMs', extract(epoch from k.requested_at) * 1000,
                           'approvedAtMs', extract(epoch from k.approved_at) * 1000) order by k.id desc)
                    from (select * from claims.claim where tag_id = t.id and state = 'APPROVED'
                           order by id desc limit ${CLAIMS_MAX}) k
                    join applications.application r on r.id = k.requested_by_app_id)
        end as claims
  from unnest($1::text[]) asked (handle)
 cross join lateral (select * from tags.tag where handle = asked.handle and released_at is null and status <> 'CLOSED' limit 1) t
 cross join lateral (select * from applications.subject where id = t.subject_id limit 1) s
 cross join lateral (select * from applications.application where id = s.application_id limit 1) o
 cross join lateral (select * from applications.application where id = t.created_by_app_id limit 1) c`;

/** The tags with these handles, in one read. */
export async function selectPublic(pool: Pool, handles: readonly string[]): Promise<DirectoryRow[]> {
  const { rows } = await pool.query<DirectoryRow>({ name: 'directory', text: READ, values: [handles] });
  return rows;
}
