import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

/**
 * The ceiling of reads, of tokens and of what is stored, a process of its own: Fastify routes with one prepared read each, on one
 * pipelined connection, or with one row written, over a pool; and nothing else. `node one-read-server.ts <database url> <port>`.
 */
const [connectionString, port] = process.argv.slice(2);
/** As PayTag's: a plan that was made while tables were small would read them whole. */
const BY_INDEX = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';
const client = new pg.Client({ connectionString, pipeline: true, options: BY_INDEX });
await client.connect();

const WALLET = `
  select w.*, a.currency, a.status, a.posted, a.suspended, a.liens from wallets.partner_wallet w
    join ledger.account a on a.id = w.account_id where w.reference = $1`;
/** By the numbers of the entries, so that a long history costs what a short one does. */
const PAGE = `
  select e.amount, e.opening, e.closing, t.* from wallets.partner_wallet w join ledger.account a on a.id = w.account_id
    cross join lateral (select * from ledger.entry where account_id = a.id and version > a.version - 20 and version <= a.version
      offset 0) e
    join ledger.transaction t on t.id = e.transaction_id where w.reference = $1 order by e.version desc`;
const APPLICATION = 'select * from applications.application where id = $1';

const read = async (name: string, text: string, value: string | undefined): Promise<unknown[]> =>
  (await client.query({ name, text, values: [value] })).rows;

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const header = encoded({ alg: 'ES256', typ: 'at+jwt', kid: 'one' });

const app = Fastify({ keepAliveTimeout: 75_000 });
app.get<{ Params: { reference: string } }>('/one/:reference', async ({ params }) => {
  const [row] = await read('one', WALLET, params.reference);
  return row;
});
app.get<{ Params: { reference: string } }>('/page/:reference', async ({ params }) => {
  const items = await read('page', PAGE, params.reference);
  return { items, count: items.length, limit: 20, offset: 0 };
});
app.post<{ Body: { client_id: string } }>('/token', async ({ body }) => {
  const [row] = await read('application', APPLICATION, body.client_id);
  const iat = Math.floor(Date.now() / 1000);
  const claims = encoded({ iss: 'bench', sub: row, jti: randomUUID(), iat, exp: iat + 3600 });
  const text = `${header}.${claims}`;
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return { access_token: `${text}.${signature.toString('base64url')}`, token_type: 'Bearer', expires_in: 3600 };
});
const pool = new pg.Pool({ connectionString, max: 8 }); // as many as the server has
await pool.query(
  'create table if not exists bench_message (id uuid primary key, body text, digest text, at timestamptz)',
);
app.post('/write', async ({ body }) => {
  const text = JSON.stringify(body);
  const digest = createHmac('sha512', 'a key').update(text).digest('hex');
  const values = [randomUUID(), text, digest, new Date()];
  await pool.query({ name: 'write', text: 'insert into bench_message values ($1, $2, $3, $4)', values });
  return { received: true };
});
await app.listen({ port: Number(port), host: '127.0.0.1' });
console.log('ready');
