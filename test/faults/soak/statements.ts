import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { clientOf } from '../../support/client.ts';
import { type Ask, adding, customerCall, type Turn } from './asked.ts';
import type { Traffic } from './clients.ts';
import type { Fleet } from './fleet.ts';
import { atLeastOne, untilNone, type Verdict } from './memory.ts';

const FORMATS = ['pdf', 'csv', 'html', 'xlsx'] as const;
/** How often, and how long after another, a caller asks whether a statement is ready before they do something else. */
const LOOKS = 6;
const LOOK_MS = 500;
/** So many are opened at the end. */
const OPENED_MAX = 30;

/** A customer's statement: its link at once, or when a worker has made it ready. */
export const readStatement: Turn = async (world, by, reference, ask) => {
  const customer = by.pick(by.pick(world.partners).customers);
  const path = `/v2/sso/transaction/statement?format=${by.pick(FORMATS)}`;
  if (by.chance(50)) {
    const link = await ask(customerCall(customer, { kind: 'statement links', method: 'POST', path }));
    return open(link?.body['url'], ask);
  }
  const asked = customerCall(customer, { kind: 'statements asked for', method: 'POST', path, isLimited: true });
  const made = await ask(adding(asked, { 'idempotency-key': reference, prefer: 'respond-async' }));
  if (made?.status !== 202) return undefined;
  const id = String(made.body['reference']);
  for (let look = 0; look < LOOKS; look += 1) {
    const found = await ask(
      customerCall(customer, {
        kind: 'statements awaited',
        method: 'GET',
        path: `/v2/sso/transaction/statement/${id}`,
        makes: { what: 'statement', id, state: 'ASKED' },
      }),
    );
    if (found?.body['status'] !== 'Pending') return open(found?.body['url'], ask);
    await sleep(LOOK_MS);
  }
  return undefined;
};

/** Follows a link. */
const open = async (url: unknown, ask: Ask) =>
  typeof url === 'string'
    ? ask({ kind: 'statements opened', method: 'GET', path: new URL(url).pathname, headers: () => ({}) })
    : undefined;

/** Every statement that was asked for is ready, and is a document for its customer. */
export async function statementsReady(pool: Pool, fleet: Fleet, { acks, answers }: Traffic): Promise<Verdict> {
  // What failed several times while things went wrong would be tried again in some minutes.
  await pool.query(`update statements.requested set due_at = now() where status = 'Pending'`);
  await untilNone(pool, `select from statements.requested where status = 'Pending'`);
  const { rows } = await pool.query<{ reference: string; status: string }>(
    'select reference, status from statements.requested',
  );
  const found = new Map(rows.map(({ reference, status }) => [reference, status]));
  const broken = rows.flatMap(({ reference, status }) => (status === 'Ready' ? [] : [`${reference} is ${status}`]));
  const said = acks.said('statement');
  for (const reference of said.keys())
    if (!found.has(reference)) broken.push(`${reference} was acknowledged, and is not there`);

  const [origin = ''] = fleet.serving();
  const call = clientOf(origin);
  for (const [reference, { by }] of [...said].slice(0, OPENED_MAX)) {
    await by.caller?.logIn(call);
    const { body } = await call('GET', by.path, { headers: by.headers() });
    const document = typeof body['url'] === 'string' ? await call('GET', new URL(body['url']).pathname) : undefined;
    if (document?.status !== 200 || document.text === '')
      broken.push(`${reference} is no document: ${JSON.stringify(body)} ${document?.text.slice(0, 200)}`);
  }
  const opened = answers.get('statements opened')?.get(200) ?? 0;
  broken.push(...atLeastOne(said.size, 'statement was asked for'), ...atLeastOne(opened, 'statement was opened'));
  const looked = `${rows.length} asked for, ${Math.min(said.size, OPENED_MAX)} of them opened now, and ${opened} documents meanwhile`;
  return { promise: 'statements that were asked for are ready, and open', broken, looked };
}
