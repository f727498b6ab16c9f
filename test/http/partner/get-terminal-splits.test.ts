import { describe, expect, it } from 'vitest';
import { type TestPartner, useSharedApp } from '../../support/app.ts';
import { newSplit, newTerminal, payAt } from '../../support/terminals.ts';

const server = useSharedApp();
const list = (partner: TestPartner, terminal: string | undefined, query = '') =>
  server.call('GET', `/v2/partner/terminal/splits${query}`, {
    headers: { ...partner.headers, ...(terminal === undefined ? {} : { 'x-terminal': terminal }) },
  });

async function tillWith(...amounts: number[]) {
  const partner = await server.newPartner();
  const terminal = await newTerminal(server, partner);
  const splits: string[] = [];
  for (const amount of amounts) splits.push(await newSplit(server, terminal, amount));
  return { partner, terminal, splits };
}

describe('200', () => {
  it('lists the splits of the terminal, newest first, with what is paid of each', async () => {
    const { partner, terminal, splits } = await tillWith(10, 20, 30);
    await newSplit(server, await newTerminal(server, partner), 99);
    await payAt(server, terminal, { amount: 5, split: splits[0] ?? '' });
    await payAt(server, terminal, { amount: 20, split: splits[1] ?? '' });
    const answer = await list(partner, terminal);
    expect(answer.statusCode).toBe(200);
    const shown = { Title: 'Phone' };
    expect(answer.json()).toEqual({
      items: [
        { ...shown, Amount: 30, Reference: splits[2], TotalPaid: 0, Remaining: 30, Status: 'Pending' },
        { ...shown, Amount: 20, Reference: splits[1], TotalPaid: 20, Remaining: 0, Status: 'Paid' },
        { ...shown, Amount: 10, Reference: splits[0], TotalPaid: 5, Remaining: 5, Status: 'Pending' },
      ],
      count: 3,
      limit: 20,
      offset: 0,
    });
  });

  it('answers in pages: count is the total, a limit above 100 counts as 100, and 0 gives an empty page', async () => {
    const { partner, terminal, splits } = await tillWith(1, 2, 3);
    const references = async (query: string) => {
      const { items, ...page } = (await list(partner, terminal, query)).json();
      return { page, references: items.map(({ Reference }: { Reference: string }) => Reference) };
    };
    expect(await references('?limit=1&offset=1')).toMatchObject({
      references: [splits[1]],
      page: { count: 3, limit: 1, offset: 1 },
    });
    expect(await references('?limit=0')).toEqual({ references: [], page: { count: 3, limit: 0, offset: 0 } });
    expect(await references('?limit=500&offset=9')).toEqual({
      references: [],
      page: { count: 3, limit: 100, offset: 9 },
    });
  });

  it.each([
    ['?limit=2147483648', { limit: 100, offset: 0 }, 2],
    [`?limit=${'9'.repeat(40)}`, { limit: 100, offset: 0 }, 2],
    ['?offset=2147483648', { limit: 20, offset: 2_147_483_648 }, 0],
    [`?offset=${'9'.repeat(40)}&limit=100`, { limit: 100, offset: 1e15 }, 0],
    ['?limit=&offset=%20', { limit: 20, offset: 0 }, 2],
    ['?limit=%202%20', { limit: 2, offset: 0 }, 2],
  ])('%s is a page, with the true count', async (query, page, items) => {
    const { partner, terminal } = await tillWith(1, 2);
    const { items: shown, ...answer } = (await list(partner, terminal, query)).json();
    expect([shown.length, answer]).toEqual([items, { ...page, count: 2 }]);
  });

  it('is empty for a terminal without splits', async () => {
    const { partner, terminal } = await tillWith();
    expect((await list(partner, terminal)).json()).toEqual({ items: [], count: 0, limit: 20, offset: 0 });
  });
});
