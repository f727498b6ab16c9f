import { expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { countedIn, useCounting } from '../support/plans.ts';
import { bounds, COUNTED_SETTINGS, useTypicalCalls } from './bounds.ts';
import { filteredReads } from './filtered-reads.ts';
import { withoutName } from './rules.ts';

useCounting();
const server = useApp(COUNTED_SETTINGS);
const ask = useTypicalCalls(server);

const operations = Object.keys(bounds);

it('what may send statements without a name is an operation', () => {
  expect(Object.keys(withoutName).filter((operation) => !operations.includes(operation))).toEqual([]);
});

it.each(operations.filter((operation) => !(operation in withoutName)))(
  '%s prepares what it sends',
  async (operation) => {
    const { statements, unnamed } = await ask(operation);
    expect(unnamed, `of ${statements.length} statements`).toEqual([]);
  },
);

it.each(Object.keys(withoutName))('%s sends a statement without a name', async (operation) => {
  expect((await ask(operation)).unnamed).not.toEqual([]);
});

const isList = ({ url }: { url: string }): boolean => url.includes('?');

it('no filter of a list sends a statement without a name', async () => {
  const unnamed: Record<string, readonly string[]> = {};
  for (const { url, headers } of (await filteredReads(server)).filter(isList)) {
    const counted = await countedIn(() => server.call('GET', url, { headers }));
    if (counted.unnamed.length > 0) unnamed[url] = counted.unnamed;
  }
  expect(unnamed).toEqual({});
});

it('a list that is asked for with other values is sent by the same names', async () => {
  const asked = async (query: string) =>
    (await countedIn(() => server.operate('GET', `/transactions?${query}`))).names.filter((name) =>
      name.startsWith('transactions.'),
    );
  const [one, other] = [await server.newPartner({ float: 1 }), await server.newPartner({ float: 1 })];
  const names = await asked(`partnerId=${one.id}&type=FLOAT_FUNDING&limit=1`);
  expect(names).toEqual([
    expect.stringMatching(/^transactions\.count\.[\da-f]{8}$/),
    expect.stringMatching(/^transactions\.page\.[\da-f]{8}$/),
    expect.anything(),
  ]);
  expect(await asked(`partnerId=${other.id}&type=TRANSFER&limit=2&offset=3`)).toEqual(names);
  expect(await asked(`partnerId=${other.id}&limit=2`)).not.toEqual(names);
});
