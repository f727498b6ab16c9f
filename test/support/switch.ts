import { randomId } from '#lib/random.ts';
import type { Answer, TestApp } from './app.ts';
import { newApplication, type TestApplication } from './application.ts';

/** An application with a tag of its own. */
export interface Side extends TestApplication {
  name: string;
  tag: string;
}

/** One more tag of an application, through `POST /v1/subjects` and `POST /v1/tags`. Resolves to its handle. */
export async function newTag(server: TestApp, { headers }: TestApplication): Promise<string> {
  const tagString = `t${randomId().slice(0, 20)}`;
  const externalId = `owner-of-${tagString}`;
  await server.call('POST', '/api/v1/subjects', { headers, payload: { externalId } });
  const answer = await server.call('POST', '/api/v1/tags', { headers, payload: { tagString, externalId } });
  return answer.json<{ data: { tagString: string } }>().data.tagString;
}

/** A new application with a tag and a million naira. */
export async function newSide(server: TestApp, name = 'Acme', given: { webhookUrl?: string } = {}): Promise<Side> {
  const application = await newApplication(server, name, given);
  return { ...application, name, tag: await newTag(server, application) };
}

const verbs = { ACTIVE: 'restore', SUSPENDED: 'suspend', CLOSED: 'close' } as const;

/** As the operator does it. */
export const setTagStatus = (server: TestApp, handle: string, status: keyof typeof verbs) =>
  server.operate('POST', `/tags/${handle}/${verbs[status]}`, { reason: 'a test' });

/** A Switch transaction as it is answered. */
export interface TransactionOut {
  id: string;
  reference: string;
  status: string;
  amount: number;
  fee: number;
  expiresAt: string;
  updatedAt: string;
  webhooks: { eventType: string; direction: string; applicationId: string; status: string }[];
  [member: string]: unknown;
}

/** `POST /v1/transactions`; what is not given is 100 naira from the caller's tag. */
export const initiate = (server: TestApp, from: Side, payload: object): Promise<Answer> =>
  server.call('POST', '/api/v1/transactions', {
    headers: from.headers,
    payload: { senderTag: from.tag, amount: 100, currency: 'NGN', ...payload },
  });

/** A transaction that waits for `to`. */
export const offer = async (server: TestApp, from: Side, to: Side, given: object = {}): Promise<TransactionOut> =>
  (await initiate(server, from, { receiverTag: to.tag, ...given })).json<{ data: TransactionOut }>().data;

/** How long a short offer waits: less than a token lives. */
export const SHORT_MS = 10 * 60 * 1000;

/** A transaction that waits for `to` for a short time only. */
export const shortOffer = (server: TestApp, from: Side, to: Side, given: object = {}): Promise<TransactionOut> =>
  offer(server, from, to, { expiresAt: new Date(server.clock.now().getTime() + SHORT_MS).toISOString(), ...given });

export type Verb = 'accept' | 'reject' | 'cancel';

/** `POST /v1/transactions/{id}/accept`, `/reject` or `/cancel`. */
export const decide = (server: TestApp, { headers }: TestApplication, id: string, verb: Verb): Promise<Answer> =>
  server.call('POST', `/api/v1/transactions/${id}/${verb}`, {
    headers,
    ...(verb === 'reject' ? { payload: { rejectionReason: 'not today' } } : {}),
  });

/** `GET /v1/transactions/{id}`. */
export const see = (server: TestApp, { headers }: TestApplication, id: string): Promise<Answer> =>
  server.call('GET', `/api/v1/transactions/${id}`, { headers });

/** What an application's naira wallet has in all, and how much of it is held, in kobo. */
export async function walletTotals({ resources }: TestApp, { applicationId }: TestApplication) {
  const { rows } = await resources.pool.query<{ total: number; held: number }>(
    `select posted::float8 as total, suspended::float8 as held from ledger.account
      where kind = 'APPLICATION' and reference = $1 and currency = 'NGN'`,
    [applicationId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('this application has no wallet');
  return row;
}

/** What an application was told, oldest first, parsed. */
export async function transactionEvents({ resources }: TestApp, { applicationId }: TestApplication) {
  const { rows } = await resources.pool.query<{ body: string }>(
    `select e.body from outbox.event e join outbox.receiver r on r.id = e.receiver_id
      where r.owner_id = $1 order by e.id`,
    [applicationId],
  );
  return rows.map(({ body }): { event: string; reference: string; data: TransactionOut } => JSON.parse(body));
}
