import type { Pool } from 'pg';

const APPLICATIONS = 20;

/** SQL for the handle of tag number `n`: in no order for the index, and computed from the number by the clients too. */
const HANDLE = (n: string) => `'u' || substr(md5(${n}::text), 1, 12)`;

const BATCH = 50_000;

/** Adds `tags` tags, each with a subject of its own, spread over applications; then vacuums, so that nothing is left to do. */
export async function seedTags(pool: Pool, tags: number): Promise<void> {
  for (let next = 0; next < tags; next += BATCH) await seedBatch(pool, next, Math.min(tags, next + BATCH));
  await pool.query('vacuum analyze');
  await pool.query('checkpoint');
}

async function seedBatch(pool: Pool, from: number, to: number): Promise<void> {
  await pool.query(
    `insert into applications.application (name, namespace, status, routing_mac)
     select 'Bench ' || i, 'bench-' || i, 'ACTIVE', '' from generate_series(1, $1::int) i on conflict do nothing`,
    [APPLICATIONS],
  );
  await pool.query(
    `with apps as (select array_agg(id) as ids from applications.application where namespace like 'bench-%'),
     people as (
       insert into applications.subject (application_id, external_id, display_name, image_url, routing_mac)
       select ids[1 + i % $3::int], 'customer-' || i, 'Ada Obi ' || i, 'https://example.com/' || i || '.png', '\\x00'
         from apps, generate_series($1::int, $2::int - 1) i
       returning id, application_id, external_id)
     insert into tags.tag (handle, subject_id, created_by_app_id, routing_mac)
     select ${HANDLE("replace(external_id, 'customer-', '')")}, id, application_id, '\\x00' from people`,
    [from, to, APPLICATIONS],
  );
}
