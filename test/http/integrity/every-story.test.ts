import { expect, it } from 'vitest';
import { applicationEvents, partnerEvents } from '#modules/sandbox';
import { changeEndpoint } from '#modules/webhooks';
import { startDelivery } from '../../../src/worker/deliver-webhooks.ts';
import { type Answer, useApp } from '../../support/app.ts';
import { checkBooks } from '../../support/books.ts';
import { repetitions } from '../../support/cases.ts';
import { type Described, documentUrls, operationsOf, readDocument } from '../../support/described.ts';
import { eventually } from '../../support/eventually.ts';
import { useReceiver } from '../../support/receiver.ts';
import {
  goodRequestsOfPartners,
  goodRequestsOfSandbox,
  goodRequestsOfSso,
  goodRequestsOfSwitch,
  type MakeGood,
} from '../every-operation/good-requests.ts';
import { goodRequestsOfOperator } from '../every-operation/good-requests-operator.ts';
import {
  plainRequestsOfOperator,
  plainRequestsOfPartners,
  plainRequestsOfSso,
  plainRequestsOfSwitch,
} from '../every-operation/plain-requests.ts';
import { moneyStories } from './stories/money.ts';
import { type Step, settle } from './stories/story.ts';
import { tagStories } from './stories/tags.ts';

const ONCE_A_SECOND = { APPROVAL_ABOVE: '1000000', RATE_LIMIT_CALLS_PER_S: '1000000' };
const CHARGES = {
  FEE_PARTNER_WALLET_DEBIT: '2',
  FEE_TRANSFER: '1%+5',
  FEE_PAYOUT: '10',
  FEE_PARTNER_GATEWAY: '1.5%',
  FEE_PARTNER_TERMINAL: '0.5%',
  FEE_COMMISSION: '0.2%',
  FEE_SWITCH: '1%',
};

/** In whose database everything happens. A good request has no more in its float than what it credits. */
const server = useApp({ ...ONCE_A_SECOND, ...CHARGES });
/** Another process of the same installation, that charges for everything. */
const charging = useApp(
  { ...ONCE_A_SECOND, ...CHARGES, FEE_PARTNER_WALLET_CREDIT: '1', FEE_STAMP_DUTY: '50>=1000' },
  server,
);
const receiver = useReceiver();

/** What there are several of in one operation, by a member of its body. */
const variants: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  'POST /v2/sandbox/events': partnerEvents.map((event) => ({ event })),
  'POST /v2/sandbox/application/events': applicationEvents.map((event) => ({ event })),
};
/** As `MakeGood` is asked for one of several kinds. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  'POST /operator/v1/transactions': ['INBOUND', 'PARTNER_GATEWAY', 'PARTNER_TERMINAL'],
};

const surfaces = [
  goodRequestsOfPartners,
  plainRequestsOfPartners,
  goodRequestsOfSandbox,
  goodRequestsOfSso,
  plainRequestsOfSso,
  goodRequestsOfSwitch,
  plainRequestsOfSwitch,
  goodRequestsOfOperator,
  plainRequestsOfOperator,
];

/** So many steps are done before the books are asked: each by itself in `npm run test:long`. */
const TOGETHER = repetitions({ short: 15, soak: 1 });
/** What was done since they were. */
const unasked: string[] = [];

/** What the check finds, of everything or of what is new since a moment, once this was done. */
const brokenBy = async (after: string, since?: Date) =>
  (await checkBooks(server, { since })).map(({ name, rows }) => ({ after, name, rows }));

const step: Step = async (what, work) => {
  const done = await work();
  if (isAnswer(done) && done.statusCode >= 400) throw new Error(`${what}: ${done.statusCode} ${done.body}`);
  await settle(server);
  unasked.push(what);
  if (unasked.length >= TOGETHER) await holds();
  return done;
};

async function holds(): Promise<void> {
  expect(await brokenBy(unasked.splice(0).join(', '))).toEqual([]);
}

const isAnswer = (value: unknown): value is Answer => value instanceof Object && 'statusCode' in value;

const described = async (): Promise<Described[]> =>
  (await Promise.all(documentUrls.map((url) => readDocument(server, url)))).flatMap(operationsOf);

async function send({ method, path }: Described, make: MakeGood, kind?: string): Promise<Answer> {
  const { url, headers, query = {}, body } = await make('', kind);
  const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  const whole = asked === '' ? url : `${url}?${asked}`;
  const answers: Answer[] = [];
  for (const variant of variants[`${method} ${path}`] ?? [{}]) {
    const payload = body && { ...body, ...variant };
    const call = { headers, ...(payload === undefined ? {} : { payload }) };
    answers.push(await server.call(method as Parameters<typeof server.call>[0], whole, call));
  }
  const bad = answers.find(({ statusCode }) => statusCode >= 300);
  const [first] = answers;
  if (first === undefined) throw new Error('nothing was sent');
  return bad ?? first;
}

it('every operation of the documents leaves books that hold', async () => {
  const good: Record<string, MakeGood[]> = {};
  for (const surface of surfaces) {
    const made = await step(surface.name, () => surface(server));
    for (const [name, make] of Object.entries(made)) (good[name] ??= []).push(make);
  }
  const operations = await described();
  const undone: string[] = [];
  for (const operation of operations) {
    const name = `${operation.method} ${operation.path}`;
    const answers: Answer[] = [];
    for (const make of good[name] ?? []) {
      for (const kind of kinds[name] ?? [undefined]) answers.push(await send(operation, make, kind));
    }
    // Some good requests come too late, where another one has done the same to the same thing.
    if (!answers.some(({ statusCode }) => statusCode < 300)) undone.push(name);
    if (operation.method === 'GET') continue;
    await step(name, async () => undefined);
  }
  await holds();
  expect(undone).toEqual([]);
}, 600_000);

it.each(Object.entries({ ...moneyStories, ...tagStories }))(
  '%s',
  async (name, story) => {
    const since = new Date();
    await story(charging, step);
    await holds();
    expect(await brokenBy(name, since)).toEqual([]);
  },
  120_000,
);

it('each event reaches its receivers, once for each delivery, and the books hold', async () => {
  const { owner, resources } = server;
  const { rows: all } = await owner.query<{ ownerId: string; endpointId: string }>(
    `select coalesce(r.owner_id, d.owner_id) as "ownerId", r.id as "endpointId" from outbox.receiver r
       left join outbox.receiver d on d.id = r.default_id where r.url is not null`,
  );
  for (const one of all) await changeEndpoint(resources, { ...one, actor: 'a test', url: receiver.url });
  const waiting = `
    select d.id, d.last_error from webhooks.delivery d join outbox.receiver r on r.id = d.receiver_id
      where d.status = 'PENDING' and r.url is not null
        and not exists (select from webhooks.pause p where p.receiver_id = d.receiver_id)`;
  expect((await owner.query(waiting)).rows.length).toBeGreaterThan(100);
  const delivery = startDelivery(resources);
  try {
    await eventually(async () => expect((await owner.query(waiting)).rows).toEqual([]));
  } finally {
    await delivery.close();
  }
  const { rows: told } = await owner.query<{ event: string }>(
    `select event_id as event from webhooks.delivery where status = 'DELIVERED'`,
  );
  const received = receiver.accepted.map(({ headers }) => String(headers['webhook-id']));
  expect(received.toSorted()).toEqual(told.map(({ event }) => event).toSorted());
  expect(await brokenBy('everything is delivered')).toEqual([]);
}, 120_000);
