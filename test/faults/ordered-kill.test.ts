import { randomInt } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { createEndpoint } from '#modules/webhooks';
import { repetitions } from '../support/cases.ts';
import { moveWallets, placeIn } from '../support/deliveries.ts';
import { eventually, eventuallyTrue } from '../support/eventually.ts';
import { KEYRING_ROOT, keyring, useOutbox } from '../support/outbox.ts';
import { type ServerProcess, serverEnv, startServer } from '../support/process.ts';
import { useReceiver } from '../support/receiver.ts';

const KILLS = repetitions({ short: 1, soak: 30 });
const PLACES = 6;
const WALLETS = ['ada', 'bola', 'chidi', 'dayo'];

const outbox = useOutbox();
const receiver = useReceiver();
let worker: ServerProcess | undefined;
afterEach(() => worker?.kill('SIGKILL'));

const startWorker = () =>
  startServer({
    ...serverEnv(outbox.url),
    MASTER_KEY: KEYRING_ROOT.toString('hex'),
    WEBHOOK_TIMEOUT_MS: '60000', // so that no attempt ends because this machine is slow
    WEBHOOK_BACKOFF_BASE_MS: '1',
    ROLE: 'worker',
  });
const deps = { keyring, clock: systemClock, webhooks: { allowedCidrs: ['127.0.0.0/8'] } };

/** What was accepted at a path of a wallet, in the order in which it came. */
const placesAt = (path: string, of: string): number[] =>
  receiver.accepted
    .filter((request) => request.path.endsWith(path))
    .map(placeIn)
    .filter(({ wallet }) => wallet === of)
    .map(({ place }) => place);

it('one at a time holds at each endpoint while workers die by kill -9: no event overtakes one before it, and none is lost', async () => {
  const owner = await outbox.newReceiver(`${receiver.url}/default`);
  for (const path of ['/books', '/app']) {
    await createEndpoint(
      { ...deps, transact: outbox.transact },
      { actor: 'test', ownerId: owner.ownerId, url: `${receiver.url}${path}`, ordered: true },
    );
  }
  const seen = new Set<string>();
  receiver.answer((request) => {
    const { wallet, place: at } = placeIn(request);
    const name = `${request.path} ${wallet} ${at}`;
    const isFirst = !seen.has(name);
    seen.add(name);
    return isFirst && at % 3 === 0 ? 503 : 200;
  });
  let place = 0;
  for (let kill = 0; kill <= KILLS; kill++) {
    for (let next = 0; next < PLACES; next++) await moveWallets(outbox.pool, owner.ownerId, WALLETS, ++place);
    worker = await startWorker();
    if (kill === KILLS) break;
    const enough = receiver.accepted.length + randomInt(1, (PLACES * WALLETS.length * 3) / 2);
    await eventuallyTrue(() => receiver.accepted.length >= enough, { intervalMs: 1 });
    await worker.kill('SIGKILL');
    // What the dead had claimed runs out.
    await outbox.pool.query(`update webhooks.delivery set leased_until = null where status = 'PENDING'`);
  }
  const ended = await eventually(async () => {
    const { rows } = await outbox.pool.query<{ status: string; count: number }>(
      'select status, count(*)::int as count from webhooks.delivery group by 1',
    );
    expect(rows.map(({ status }) => status)).not.toContain('PENDING');
    return rows;
  });
  expect(ended).toEqual([{ status: 'DELIVERED', count: place * WALLETS.length * 3 }]);
  const all = Array.from({ length: place }, (_, index) => index + 1);
  for (const wallet of WALLETS) {
    for (const path of ['/books', '/app']) {
      const places = placesAt(path, wallet);
      expect([path, places]).toEqual([path, places.toSorted((one, next) => one - next)]); // one may come twice
      expect([...new Set(places)]).toEqual(all);
    }
    expect(new Set(placesAt('/default', wallet))).toEqual(new Set(all));
  }
});
