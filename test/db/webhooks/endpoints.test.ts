import { setImmediate as nextTick } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import {
  claimDeliveries,
  createEndpoint,
  deleteEndpoint,
  endpointsThatWant,
  listDeliveries,
  maintainWebhooks,
  pauseReceiver,
} from '#modules/webhooks';
import { moveWallets, placeIn } from '../../support/deliveries.ts';
import { eventually } from '../../support/eventually.ts';
import { keyring, type TestReceiver, useDispatchers, useOutbox } from '../../support/outbox.ts';
import { isSigned, standardSignature, useReceiver } from '../../support/receiver.ts';

const outbox = useOutbox();
const receiver = useReceiver();
const dispatchers = useDispatchers();

beforeEach(async () => {
  await outbox.pool.query('truncate outbox.receiver cascade');
  receiver.reset();
});

const deps = () => ({
  transact: outbox.transact,
  keyring,
  clock: systemClock,
  webhooks: { allowedCidrs: ['127.0.0.0/8'] },
});
const addTo = ({ ownerId }: TestReceiver, chosen: object = {}) =>
  createEndpoint(deps(), { actor: 'test', ownerId, url: receiver.url, ...chosen });
const move = ({ ownerId }: TestReceiver, wallets: readonly string[], place: number) =>
  moveWallets(outbox.pool, ownerId, wallets, place);
const count = async (status: 'DELIVERED' | 'FAILED' | 'PENDING', endpointId: string) =>
  (await listDeliveries(outbox.db, { status, endpointId, limit: 0, offset: 0 })).count;

describe('an endpoint that is sent one event at a time of a wallet', () => {
  test('gets them in order, whatever fails, from two processes at once; another wallet does not wait', async () => {
    const owner = await outbox.newReceiver(null);
    const { id } = await addTo(owner, { ordered: true });
    const wallets = ['ada', 'bola', 'chidi', 'dayo'];
    const inFlight = new Set<string>();
    const tries = new Map<string, number>();
    let doomed = 0;
    receiver.answer(async (request) => {
      const { wallet, place } = placeIn(request);
      expect(inFlight.has(wallet)).toBe(false);
      inFlight.add(wallet);
      await nextTick();
      inFlight.delete(wallet);
      if (wallet === 'dayo' && place === 2) {
        doomed += 1;
        return 500;
      }
      const tried = (tries.get(`${wallet} ${place}`) ?? 0) + 1;
      tries.set(`${wallet} ${place}`, tried);
      return place % 3 === 0 && tried < 3 ? 503 : 200;
    });
    const running = [dispatchers.start({ pool: outbox.pool }), dispatchers.start({ pool: outbox.pool })];
    for (let place = 1; place <= 12; place += 1) {
      await move(owner, wallets, place);
      for (const dispatcher of running) void dispatcher.pump();
    }
    await eventually(async () => {
      for (const dispatcher of running) void dispatcher.pump();
      expect(await count('PENDING', id)).toBe(0);
    });
    expect([await count('DELIVERED', id), await count('FAILED', id), doomed]).toEqual([47, 1, 5]);
    for (const wallet of wallets) {
      const places = receiver.accepted.map(placeIn).filter((one) => one.wallet === wallet);
      const all = Array.from({ length: 12 }, (_, index) => index + 1);
      expect(places.map(({ place }) => place)).toEqual(wallet === 'dayo' ? all.filter((place) => place !== 2) : all);
    }
  });

  test('leaves what waits for an earlier one unsent while that is being sent, or waits for its next attempt', async () => {
    const owner = await outbox.newReceiver(null);
    await addTo(owner, { ordered: true });
    for (const place of [1, 2, 3]) await move(owner, ['ada'], place);
    const claim = (now: Date) =>
      claimDeliveries(outbox.pool, { limit: 10, perReceiver: 10, inFlight: new Map(), leaseMs: 60_000, now });
    const now = new Date(Date.now() + 1_000);
    const first = await claim(now);
    expect(first.claimed.map(({ sequence }) => sequence)).toEqual(['1']);
    expect(first.parked).toBe(2);
    expect((await claim(now)).claimed).toEqual([]);
    const lost = await claim(new Date(now.getTime() + 61_000));
    expect(lost.claimed).toMatchObject([{ sequence: '1', number: 2 }]);
  });
});

describe('an endpoint with a rate', () => {
  test('is sent no more than that gives, whoever claims, and the claim says when it gives again', async () => {
    const owner = await outbox.newReceiver(null);
    await addTo(owner, { rate: 20 });
    await outbox.emitTo(owner, 20);
    const start = Date.now() + 3_600_000;
    const claim = (ms: number) =>
      claimDeliveries(outbox.pool, {
        limit: 100,
        perReceiver: 100,
        inFlight: new Map(),
        leaseMs: 3_600_000,
        now: new Date(start + ms),
      });
    const sent: number[] = [];
    for (const ms of [0, 0, 10, 50, 60, 100, 1_000, 1_000]) sent.push((await claim(ms)).claimed.length);
    expect(sent).toEqual([2, 0, 0, 1, 0, 1, 2, 0]);
    expect((await claim(1_001)).dueInMs).toBe(49);
    const [atOnce, beside] = await Promise.all([claim(5_000), claim(5_000)]);
    expect(atOnce.claimed.length + beside.claimed.length).toBe(2);
  });
});

describe('the endpoints that want an event', () => {
  test('are those of its owner that list it or all, have a URL and are not paused, but for one that is left out', async () => {
    const owner = await outbox.newReceiver(receiver.url);
    const all = await addTo(owner);
    const some = await addTo(owner, { events: ['wallet.credited'] });
    const other = await addTo(owner, { events: ['endpoint.paused'] });
    const paused = await addTo(owner);
    const pause = { actor: 'test', by: 'OWNER', reason: 'test' } as const;
    await pauseReceiver(deps(), { ...pause, ownerId: owner.ownerId, endpointId: paused.id });
    await addTo(await outbox.newReceiver(receiver.url));
    const ids = async (event: string, except?: string) =>
      (await endpointsThatWant(outbox.db, { ownerId: owner.ownerId, event, except })).map(
        ({ endpointId }) => endpointId,
      );
    expect(await ids('wallet.credited')).toEqual([owner.id, all.id, some.id]);
    expect(await ids('wallet.credited', all.id)).toEqual([owner.id, some.id]);
    expect(await ids('endpoint.paused')).toEqual([other.id]); // none but those that name it
    expect(await ids('endpoint.paused', other.id)).toEqual([]);
  });
});

describe('each endpoint', () => {
  test('is signed for with its own secret and the owner’s client id, and sent its own headers', async () => {
    const owner = await outbox.newReceiver(receiver.url);
    const { secret } = await addTo(owner, {
      url: `${receiver.url}/books`,
      headers: { authorization: 'Bearer theirs' },
    });
    await outbox.emitTo(owner);
    void dispatchers.start({ pool: outbox.pool }).pump();
    const books = await receiver.waitFor(({ path }) => path.endsWith('/books'));
    const byDefault = await receiver.waitFor(({ path }) => !path.endsWith('/books'));
    expect(books.headers['webhook-id']).toBe(byDefault.headers['webhook-id']);
    expect(books.headers).toMatchObject({ authorization: 'Bearer theirs', 'content-type': 'application/json' });
    expect(byDefault.headers).not.toHaveProperty('authorization');
    for (const request of [books, byDefault]) expect(await isSigned(request, owner.clientId)).toBe(true);
    expect(books.headers['webhook-signature']).toBe(await standardSignature(books, secret));
    expect(byDefault.headers['webhook-signature']).toBe(await standardSignature(byDefault, owner.secret));
    expect(JSON.stringify(dispatchers.kept.lines)).not.toContain('theirs');
  });

  test('that was deleted with a long backlog has it ended by the workers, in batches', async () => {
    const owner = await outbox.newReceiver(null);
    const { id } = await addTo(owner);
    await outbox.emitTo(owner, 600);
    await deleteEndpoint(deps(), { actor: 'test', ownerId: owner.ownerId, endpointId: id });
    expect(await count('FAILED', id)).toBe(500);
    await maintainWebhooks(outbox);
    expect([await count('FAILED', id), await count('PENDING', id)]).toEqual([600, 0]);
  });
});
