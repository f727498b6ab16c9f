import { beforeAll, describe, expect, it } from 'vitest';
import { businessDay } from '#modules/ledger';
import { compareDay, runDueComparisons } from '#modules/rails';
import { useApp } from '../../support/app.ts';

const server = useApp();
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** From noon in Lagos on, so that hours that pass end no day, whenever this runs. */
beforeAll(() => {
  server.clock.stop();
  server.clock.advance(DAY_MS - ((server.clock.now().getTime() - 11 * HOUR_MS) % DAY_MS));
});

/** The day so many days before the last one that is over for an hour. */
const dayBefore = (days: number): string =>
  businessDay(new Date(server.clock.now().getTime() - HOUR_MS - (days + 1) * DAY_MS));
const listed = async (query = '') => {
  const answer = await server.operate('GET', `/rails/simulator/comparisons${query}`);
  expect(answer.statusCode).toBe(200);
  return answer.json<{ items: { date: string; comparedBy: string }[]; count: number; nextCursor?: string }>();
};
const days = async (query?: string) => (await listed(query)).items.map(({ date }) => date);

describe('200', () => {
  it('is nothing of a provider that was never compared', async () => {
    expect((await server.operate('GET', '/rails/stripe/comparisons')).json()).toMatchObject({ items: [], count: 0 });
  });

  it('lists each night that was compared, also those that were missed, the last one first', async () => {
    await runDueComparisons(server.resources);
    await runDueComparisons(server.resources);
    expect(await days()).toEqual([dayBefore(0)]);
    server.clock.advance(4 * DAY_MS);
    await server.operate('POST', '/rails/simulator/compare', { date: dayBefore(1) });
    await runDueComparisons(server.resources);
    expect(await days()).toEqual([0, 2, 3, 1, 4].map(dayBefore));
    server.clock.advance(40 * DAY_MS);
    await runDueComparisons(server.resources);
    const all = await listed('?limit=100');
    expect(all.items.slice(0, 31).map(({ date }) => date)).toEqual(
      Array.from({ length: 31 }, (_, at) => dayBefore(at)),
    );
    expect(all.count).toBe(36);
  });

  it('a day that was compared before it had ended is compared once more', async () => {
    server.clock.advance(DAY_MS);
    const today = businessDay(server.clock.now());
    await runDueComparisons(server.resources);
    await server.operate('POST', '/rails/simulator/compare', { date: today });
    server.clock.advance(DAY_MS + HOUR_MS);
    await runDueComparisons(server.resources);
    const { items } = await listed(`?from=${today}&to=${today}`);
    expect(items).toMatchObject([{ comparedBy: 'nightly' }, { comparedBy: 'operator:root' }]);
  });

  it('so is the first that was ever compared, and the nights missed since', async () => {
    const [simulator] = server.resources.rails;
    if (simulator === undefined) throw new Error('there is no rail');
    const rails = [{ ...simulator, name: 'new' }];
    const today = businessDay(server.clock.now());
    await compareDay({ ...server.resources, rails }, { provider: 'new', day: today, actor: 'operator:root' });
    server.clock.advance(2 * DAY_MS + 2 * HOUR_MS);
    await runDueComparisons({ ...server.resources, rails });
    const { items } = (await server.operate('GET', '/rails/new/comparisons')).json();
    expect(items.map(({ date }: { date: string }) => date)).toEqual([dayBefore(0), today, today]);
  });

  it('a provider that does not answer keeps no other waiting, and is asked again', async () => {
    server.clock.advance(DAY_MS);
    const [simulator] = server.resources.rails;
    if (simulator === undefined) throw new Error('there is no rail');
    const away = { ...simulator, name: 'away', list: async () => Promise.reject(new Error('away')) };
    await runDueComparisons({ ...server.resources, rails: [away, simulator] });
    expect((await days()).slice(0, 1)).toEqual([dayBefore(0)]);
    await runDueComparisons({ ...server.resources, rails: [{ ...simulator, name: 'away' }] });
    expect((await server.operate('GET', '/rails/away/comparisons')).json().items).toMatchObject([
      { date: dayBefore(0) },
    ]);
  });

  it('a worker that is about to end begins no further day, and leaves the others to the next run', async () => {
    server.clock.advance(3 * DAY_MS);
    const [simulator] = server.resources.rails;
    if (simulator === undefined) throw new Error('there is no rail');
    const closing = new AbortController();
    const list: typeof simulator.list = (...asked) => {
      closing.abort();
      return simulator.list(...asked);
    };
    await runDueComparisons({ ...server.resources, rails: [{ ...simulator, list }] }, closing.signal);
    expect((await days())[0]).toBe(dayBefore(2));
    await runDueComparisons(server.resources);
    expect((await days()).slice(0, 3)).toEqual([0, 1, 2].map(dayBefore));
  });

  it('page by page, of some days, and as a file', async () => {
    const { items, nextCursor } = await listed('?limit=2');
    expect(items).toHaveLength(2);
    const behind = await days(`?limit=1&cursor=${nextCursor}`);
    expect(behind).toEqual((await days('?limit=3')).slice(2));
    const two = await days(`?from=${dayBefore(3)}&to=${dayBefore(2)}`);
    expect([...new Set(two)].toSorted()).toEqual([dayBefore(3), dayBefore(2)]);
    const file = await server.operate('GET', `/rails/simulator/comparisons?format=csv&to=${dayBefore(50)}`);
    expect(file.body.split('\r\n')[0]).toBe(
      '\ufeffprovider,date,theirs.count,theirs.amount,ours.count,ours.amount,comparedAt,differences,comparedBy',
    );
  });
});
