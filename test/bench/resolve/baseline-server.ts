import Fastify from 'fastify';
import pg from 'pg';

/**
 * The baseline, a process of its own: a plain Fastify route with one prepared query, as most would write it.
 * `node baseline-server.ts <way> <database url> <port>`, where the way is `pool` (one query for each request, from a pool
 * of ten connections) or `coalesced` (requests that come at the same moment share a query).
 */
const [way, connectionString, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });

const COLUMNS = `
  select t.id, t.handle, t.status, t.created_at, s.id as subject_id, s.display_name, s.image_url,
         s.created_at as subject_created_at, o.id as owner_id, o.name as owner_name, o.namespace,
         c.id as creator_id, c.name as creator_name
    from tags.tag t
    join applications.subject s on s.id = t.subject_id
    join applications.application o on o.id = s.application_id
    join applications.application c on c.id = t.created_by_app_id`;

interface Row {
  id: string;
  handle: string;
  status: string;
  created_at: Date;
  subject_id: string;
  display_name: string;
  image_url: string;
  subject_created_at: Date;
  owner_id: string;
  owner_name: string;
  namespace: string;
  creator_id: string;
  creator_name: string;
}

async function readOne(handle: string): Promise<Row | undefined> {
  const text = `${COLUMNS} where t.handle = $1 and t.released_at is null`;
  return (await pool.query<Row>({ name: 'one', text, values: [handle] })).rows[0];
}

let waiting = new Map<string, ((row: Row | undefined) => void)[]>();
let reading = 0;
let scheduled = false;

function readCoalesced(handle: string): Promise<Row | undefined> {
  return new Promise((resolve) => {
    const others = waiting.get(handle);
    if (others === undefined) waiting.set(handle, [resolve]);
    else others.push(resolve);
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      if (reading < 2) void drain();
    });
  });
}

async function drain(): Promise<void> {
  reading += 1;
  while (waiting.size > 0) {
    const batch = waiting;
    waiting = new Map();
    const text = `${COLUMNS} where t.handle = any($1) and t.released_at is null`;
    const { rows } = await pool.query<Row>({ name: 'many', text, values: [[...batch.keys()]] });
    const found = new Map(rows.map((row) => [row.handle, row]));
    for (const [handle, resolves] of batch) for (const resolve of resolves) resolve(found.get(handle));
  }
  reading -= 1;
}

const read = way === 'coalesced' ? readCoalesced : readOne;
const app = Fastify({ keepAliveTimeout: 75_000 }); // as long as our server's, and longer than the pause between two of its slices
app.get<{ Params: { tag: string } }>('/api/v1/tags/:tag', async ({ params }, reply) => {
  const row = await read(params.tag);
  if (row === undefined) return reply.code(404).send({ success: false });
  return {
    success: true,
    message: 'tag resolved',
    errorCode: '',
    data: {
      id: row.id,
      tagString: row.handle,
      qualifiedAddress: `${row.handle}@${row.namespace}`,
      status: row.status,
      canonicalOwner: {
        id: row.subject_id,
        applicationId: row.owner_id,
        applicationName: row.owner_name,
        displayName: row.display_name,
        imageUrl: row.image_url,
        createdAt: row.subject_created_at,
      },
      createdByAppId: row.creator_id,
      createdByAppName: row.creator_name,
      activeClaims: [],
      createdAt: row.created_at,
    },
    errors: [],
    timestamp: new Date(),
  };
});
await app.listen({ port: Number(port), host: '127.0.0.1' });
console.log('ready');
