import type { Pool } from 'pg';

const APPLICATIONS = 20;

/** The handle of tag number `n`: random to an index, known to whoever knows the number. */
const HANDLE = (n: string) => `'u' || substr(md5(${n}::text), 1, 12)`;

const AT_ONCE = 50_000;

/** Adds so many tags, each with a subject of its own, spread over applications, and leaves nothing to be tidied up. */
export async function seedTags(pool: Pool, tags: number): Promise<void> {
  for (let next = 0; next < tags; next += AT_ONCE) await seedSome(pool, next, Math.min(tags, next + AT_ONCE));
  await pool.query('vacuum analyze');
  await pool.query('checkpoint');
}

async function seedSome(pool: Pool, from: number, to: number): Promise<void> {
  await pool.query(
    `insert into applications.application (name, namespace, status)
     select 'Bench ' || i, 'bench-' || i, 'ACTIVE' from generate_series(1, $1::int) i on conflict do nothing`,
    [APPLICATIONS],
  );
  await pool.query(
    `with apps as (select array_agg(id) as ids from applications.application where namespace like 'bench-%'),
     people as (
       insert into applications.subject (application_id, external_id, display_name, image_url)
       select ids[1 + i % $3::int], 'customer-' || i, 'Ada Obi ' || i, 'https://example.com/' || i || '.png'
         from apps, generate_series($1::int, $2::int - 1) i
       returning id, application_id, external_id)
     insert into tags.tag (handle, subject_id, created_by_app_id)
     select ${HANDLE("replace(external_id, 'customer-', '')")}, id, application_id from people`,
    [from, to, APPLICATIONS],
  );
}
