import { importOf } from '../../support/bank-files.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';
import { compare, during } from '../compare.ts';
import { wire } from '../load/load.ts';
import type { Row } from '../table.ts';
import type { World } from '../world/world.ts';
import { besideBare, type Call } from './beside-bare.ts';

/** Operators are few; and one of them reads one long list at a time. */
const CONNECTIONS = 4;
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const IMPORT = 'POST reconciliation import, 1000 lines';
const LINES = 1000;
/** As a worker does by and by: what was not added up, each look at a day adds up anew. */
const ADD_UP = 'do $$ begin while books.add_up(now()) is not null loop end loop; end $$';

/** What operators look at, in the API and at the console; and the webhook pages of a partner. */
export async function* operators(
  world: World,
  seconds: number,
  isWanted: (what: string) => boolean,
): AsyncGenerator<Row> {
  yield* besideBare(world, seconds, isWanted, () => callsOf(world));
  if (isWanted(IMPORT)) yield await imports(world, seconds);
}

async function callsOf(world: World): Promise<Call[]> {
  const { call, partners } = world;
  await world.pool.query(ADD_UP);
  const [partner] = partners;
  const { reference = '' } = partner.wallets[0] ?? {};
  const today = new Date().toLocaleDateString('en-CA', { timeZone: 'Africa/Lagos' });
  const console_ = { cookie: await signedIn(world), accept: 'text/html' };
  const portal = { cookie: await portalSession(world), accept: 'text/html' };
  const found = await call<{ items: { id: number }[] }>('GET', `/operator/v1/transactions/${reference}-1`, {
    headers: operator,
  });
  if (found.status !== 200) throw new Error(`no transaction: ${found.text}`);
  const get = (path: string, headers: Record<string, string> = operator) => [wire('GET', path, headers)];
  const calls: [what: string, ours: string[]][] = [
    ['GET partner day', get(`/v2/partner/day/${today}`, partner.headers)],
    ['GET operator partner day', get(`/operator/v1/partners/${partner.id}/day/${today}`)],
    ['GET operator trial balance', get(`/operator/v1/ledger/trial-balance/${today}`)],
    ['GET operator overview', get('/operator/v1/overview')],
    ['POST operator search', [wire('POST', '/operator/v1/search', operator, { q: reference })]],
    ['GET operator payouts', get('/operator/v1/payouts')],
    ['GET operator transactions', get('/operator/v1/transactions')],
    ['GET console overview', get('/console', console_)],
    ['GET console transaction', get(`/console/transactions/${reference}-1`, console_)],
    ['GET webhook portal', get('/webhooks', portal)],
  ];
  return calls.map(([what, ours]) => ({ what, ours, ceiling: 'page', connections: CONNECTIONS }));
}

/** The cookie of an operator who has signed in at the console. */
async function signedIn({ call }: World): Promise<string> {
  return cookieOf(await call('POST', '/console/sign-in', { form: { token: OPERATOR_TOKEN } }));
}

/** The cookie of whoever has opened the link to the webhook pages of a partner. */
async function portalSession({ call, partners }: World): Promise<string> {
  const { headers } = partners[0];
  const link = (await call<{ url: string }>('POST', '/v2/partner/webhook/portal', { headers })).body.url;
  const { text } = await call('GET', new URL(link).pathname);
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  const form = { form: hidden('form'), token: hidden('token') };
  return cookieOf(await call('POST', '/webhooks/open', { form, headers: { 'sec-fetch-site': 'same-origin' } }));
}

function cookieOf({ status, headers, text }: Awaited<ReturnType<World['call']>>): string {
  if (status !== 303) throw new Error(`signing in answered ${status}: ${text}`);
  return String(headers['set-cookie']).split(';')[0] ?? '';
}

/** A bank's file, as a share of as many rows that are written at once and no more. */
async function imports({ call, pool }: World, seconds: number): Promise<Row> {
  let made = 0;
  const file = () => {
    const number = (made += 1);
    const line = (_: unknown, index: number) => ({
      day: '2026-11-20',
      amount: 100n,
      reference: `bench-${number}-${index}`,
    });
    return importOf('BANK', 'CSV', Array.from({ length: LINES }, line));
  };
  await pool.query(
    'create table if not exists bench_line (id bigserial primary key, day date, amount bigint, reference text)',
  );
  const write = `insert into bench_line (day, amount, reference) select '2026-11-20', 100, 'bench-' || i from generate_series(1, $1) i`;
  const ours = async () => {
    const { status, text } = await call('POST', '/operator/v1/reconciliation/imports', {
      headers: operator,
      json: file(),
    });
    if (status !== 201) throw new Error(`an import answered ${status}: ${text}`);
  };
  const row = await compare(
    seconds,
    (ms) => during(ms, 1, ours),
    (ms) => during(ms, 1, () => pool.query(write, [LINES])),
  );
  return { what: IMPORT, ours: row.ours, ceiling: row.ceiling, ratio: row.ratio };
}

interface Read {
  readonly name: string;
  /** Whole requests, to be sent by turns. */
  readonly requests: readonly string[];
  /** What the ceiling reads for it: one row, or a page of rows. */
  readonly ceiling: 'one' | 'page';
}

/** The reads that callers make all day. */
export function readsOf({ partners, customers, applications }: World): Read[] {
  const [{ headers, wallets }] = partners;
  const get = (path: string, given: Record<string, string> = headers) => wire('GET', path, given);
  // of the credits that filled it, on whatever set of rows
  const references = wallets.map(({ reference }) => `${reference}-1`);
  const ofWallets = (rest = '') => wallets.map(({ reference }) => get(`/v2/partner/wallet/${reference}${rest}`));
  const ofCustomers = (rest: string) => customers.map((one) => get(`/v2/sso/wallet${rest}`, one.headers));
  return [
    { name: 'partner wallet', requests: ofWallets(), ceiling: 'one' },
    { name: 'partner float', requests: [get('/v2/partner/float')], ceiling: 'one' },
    {
      name: 'partner transaction',
      requests: references.map((one) => get(`/v2/partner/transaction/${one}`)),
      ceiling: 'one',
    },
    { name: 'partner wallet history', requests: ofWallets('/history'), ceiling: 'page' },
    { name: 'partner deliveries', requests: [get('/v2/partner/webhook/deliveries')], ceiling: 'page' },
    { name: 'SSO wallet', requests: ofCustomers(''), ceiling: 'one' },
    { name: 'SSO wallet limit', requests: ofCustomers('/limit'), ceiling: 'one' },
    {
      name: 'switch pending',
      requests: applications.map(({ headers: of }) => get('/api/v1/transactions/pending', of)),
      ceiling: 'page',
    },
    {
      name: 'switch claims',
      requests: applications.map(({ tag, headers: of }) => get(`/api/v1/tags/${tag}/claims`, of)),
      ceiling: 'one',
    },
  ];
}

/** Each read, as a share of a bare route with one prepared read of as many rows. */
export const reads = (world: World, seconds: number, isWanted: (what: string) => boolean): AsyncGenerator<Row> =>
  besideBare(world, seconds, isWanted, () =>
    readsOf(world).map(({ name, requests, ceiling }) => ({
      what: `GET ${name}`,
      ours: requests,
      ceiling,
      atLeast: 0.5,
    })),
  );
