import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningWorker, startWorker } from '../../src/worker/start-worker.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { usePgBouncer } from '../support/pgbouncer.ts';
import { useReceiver } from '../support/receiver.ts';
import { decide, newSide, offer } from '../support/switch.ts';
import { kycWallet, loggedIn, moveMoney, pay } from '../support/wallets.ts';

const AT_ONCE = 30;

const many = <Result>(ask: (n: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, n) => ask(n)));
const statuses = (answers: readonly { statusCode: number }[]) => [
  ...new Set(answers.map(({ statusCode }) => statusCode)),
];

/** A server whose requests go through a PgBouncer. */
function usePooled(prepares: boolean) {
  const bouncer = usePgBouncer({ prepares });
  const database = useDatabase();
  const server = useApp(
    () => ({
      DATABASE_URL: bouncer.through(database.url),
      DATABASE_DIRECT_URL: database.url,
      ...(prepares ? {} : { DATABASE_PREPARE: 'off' }),
    }),
    database,
  );
  return { bouncer, server };
}

describe.each([
  ['any PgBouncer', { prepares: false }],
  ['one that prepares statements', { prepares: true }],
])('through %s, in transaction mode,', (_of, { prepares }) => {
  const { server } = usePooled(prepares);
  const receiver = useReceiver();
  let worker: RunningWorker;
  beforeAll(() => {
    worker = startWorker({ ...server.resources, ...server.resources.background });
  });
  afterAll(() => worker.close());

  it('people onboard and log in, are credited and pay each other, many at once, and events are delivered', async () => {
    const partner = await server.newPartner({ float: 100_000, webhookUrl: receiver.url });
    const people = await Promise.all([1, 2, 3].map(() => loggedIn(server, partner, 1_000)));
    const [ada, ben] = people;
    if (ada === undefined || ben === undefined) throw new Error('three have logged in');
    const wallet = await kycWallet(server, partner);
    const credits = await many((n) => moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: `c-${n}` }));
    expect(statuses(credits)).toEqual([200]);
    const paid = await many((n) => pay(server, ada, { paytag: ben.paytag, amount: 1, reference: `p-${n}` }));
    expect(statuses(paid)).toEqual([200]);
    const listed = await many(() => server.call('GET', '/v2/partner/wallet', { headers: partner.headers }));
    expect(statuses(listed)).toEqual([200]);
    const references = new Set([...credits.map((_, n) => `"c-${n}"`), ...paid.map((_, n) => `"p-${n}"`)]);
    await eventually(() => {
      const told = receiver.requests.map(({ body }) => body.toString()).join('\n');
      expect([...references].filter((reference) => !told.includes(reference))).toEqual([]);
    });
  });

  it('offers are made and decided, many at once', async () => {
    const [one, other] = [await newSide(server, 'One'), await newSide(server, 'Other')];
    const offers = await many(() => offer(server, one, other));
    const verbs = ['accept', 'reject'] as const;
    const decided = await Promise.all(offers.map(({ id }, n) => decide(server, other, id, verbs[n % 2] ?? 'accept')));
    expect(statuses(decided)).toEqual([200]);
  });

  it('what another process changes holds at once, for LISTEN goes past the pooler', async () => {
    const { id, headers } = await server.newPartner();
    const ask = async () => (await server.call('GET', '/v2/partner/float', { headers })).statusCode;
    expect(await ask()).toBe(200);
    await server.operate('POST', `/partners/${id}/suspend`, { reason: 'a complaint' });
    expect(await ask()).toBe(403);
  });

  it('the books are in order, by a check that has a session of its own', async () => {
    expect((await server.operate('GET', '/ledger/check')).json()).toMatchObject({ ok: true });
  });
});

describe('through one that prepares statements', () => {
  const { bouncer, server } = usePooled(true);

  it('a statement is prepared once on a connection, and after RECONNECT as a migration left it', async () => {
    const totals = async () => {
      const all = await bouncer.ask<Record<string, string>>('show stats_totals');
      const sum = (name: string) => all.reduce((total, row) => total + Number(row[name]), 0);
      return { prepared: sum('server_parse_count'), used: sum('bind_count') };
    };
    const { id } = await server.newPartner();
    const read = () => server.operate('GET', `/partners/${id}`);
    const before = await totals();
    for (let turn = 0; turn < 4; turn += 1) expect(statuses(await many(read))).toEqual([200]);
    const after = await totals();
    const used = after.used - before.used;
    expect(used).toBeGreaterThanOrEqual(4 * AT_ONCE);
    expect(after.prepared - before.prepared).toBeLessThan(used / 4);

    await server.owner.query('alter table partners.partner alter column name type varchar(500)');
    await bouncer.ask('reconnect');
    await bouncer.ask('wait_close');
    expect(statuses(await many(read))).toEqual([200]);
  });
});
