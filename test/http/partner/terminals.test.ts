import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newSplit, newTerminal, payAt, seeSplit } from '../../support/terminals.ts';

const server = useApp();
const HOUR_MS = 60 * 60 * 1000;

describe('GET /terminal/splits', () => {
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

describe('GET /terminal/split/{split}', () => {
  const see = (partner: TestPartner, terminal: string | undefined, split: string) =>
    server.call('GET', `/v2/partner/terminal/split/${encodeURIComponent(split)}`, {
      headers: { ...partner.headers, ...(terminal === undefined ? {} : { 'x-terminal': terminal }) },
    });

  async function till() {
    const partner = await server.newPartner();
    const terminal = await newTerminal(server, partner);
    return { partner, terminal, split: await newSplit(server, terminal, 100, { description: 'Two halves' }) };
  }

  it('shows what is paid and what remains, from Pending to Paid', async () => {
    const { partner, terminal, split } = await till();
    const fixed = { Amount: 100, Reference: split, Title: 'Phone', Description: 'Two halves' };
    const answer = await see(partner, terminal, split);
    expect(answer.json()).toEqual({ ...fixed, TotalPaid: 0, Remaining: 100, Status: 'Pending' });
    await payAt(server, terminal, { amount: 33.33, split });
    const partly = { ...fixed, TotalPaid: 33.33, Remaining: 66.67, Status: 'Pending' };
    expect((await see(partner, terminal, split)).json()).toEqual(partly);
    await payAt(server, terminal, { amount: 66.67, split });
    expect((await see(partner, terminal, split)).json()).toEqual({
      ...fixed,
      TotalPaid: 100,
      Remaining: 0,
      Status: 'Paid',
    });
  });

  it('finds a reference with characters that a path escapes', async () => {
    const { partner, terminal } = await till();
    await newSplit(server, terminal, 5, { reference: 'a/b?c#d%' });
    expect((await see(partner, terminal, 'a/b?c#d%')).json()).toMatchObject({ Reference: 'a/b?c#d%', Amount: 5 });
  });
});

describe('POST /terminal/split', () => {
  async function till() {
    const partner = await server.newPartner();
    return { partner, terminal: await newTerminal(server, partner) };
  }

  const create = (partner: TestPartner, terminal: string | undefined, payload: object) =>
    server.call('POST', '/v2/partner/terminal/split', {
      headers: { ...partner.headers, ...(terminal === undefined ? {} : { 'x-terminal': terminal }) },
      payload,
    });
  const inAnHour = () => new Date(server.clock.now().getTime() + HOUR_MS).toISOString();

  it('makes a split on the terminal, which is answered again by its reference', async () => {
    const { partner, terminal } = await till();
    const asked = { amount: 1500.5, title: 'Fridge', description: 'Three months', reference: 'fridge-1' };
    const answer = await create(partner, terminal, asked);
    expect(answer.json()).toEqual({
      Amount: 1500.5,
      Reference: 'fridge-1',
      TotalPaid: 0,
      Remaining: 1500.5,
      Status: 'Pending',
      Title: 'Fridge',
      Description: 'Three months',
    });
    expect(await seeSplit(server, partner, terminal, 'fridge-1')).toEqual(answer.json());
  });

  it('leaves out a description that was not given', async () => {
    const { partner, terminal } = await till();
    const answer = await create(partner, terminal, {
      amount: 1,
      title: 'Soap',
      description: null,
      expiresAt: inAnHour(),
    });
    expect(answer.json()).not.toHaveProperty('Description');
  });

  it('the same reference and content finds the split as it is now, also when twenty ask at once', async () => {
    const { partner, terminal } = await till();
    const asked = { amount: 100, title: 'Fridge', reference: 'twins', expiresAt: inAnHour() };
    const all = await Promise.all(Array.from({ length: 20 }, () => create(partner, terminal, asked)));
    expect(new Set(all.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    await payAt(server, terminal, { amount: 40, split: 'twins' });
    expect((await create(partner, terminal, asked)).json()).toMatchObject({ TotalPaid: 40, Remaining: 60 });
  });
});

describe('POST /terminal/split/{split}/cancel', () => {
  async function till(given: object = {}) {
    const partner = await server.newPartner();
    const terminal = await newTerminal(server, partner);
    return { partner, terminal, split: await newSplit(server, terminal, 100, given) };
  }

  const cancel = (partner: TestPartner, terminal: string | undefined, split: string) =>
    server.call('POST', `/v2/partner/terminal/split/${split}/cancel`, {
      headers: { ...partner.headers, ...(terminal === undefined ? {} : { 'x-terminal': terminal }) },
    });

  it('200: a split of which nothing is paid becomes Cancelled', async () => {
    const { partner, terminal, split } = await till();
    const answer = await cancel(partner, terminal, split);
    expect(answer.json()).toMatchObject({ Reference: split, Status: 'Cancelled', TotalPaid: 0, Remaining: 100 });
    expect(await seeSplit(server, partner, terminal, split)).toEqual(answer.json());
  });

  it('409: when it has expired', async () => {
    const expiresAt = new Date(server.clock.now().getTime() + HOUR_MS).toISOString();
    const { partner, terminal, split } = await till({ expiresAt });
    server.clock.advance(HOUR_MS);
    expect((await cancel(partner, terminal, split)).json().errorCode).toBe('SPLIT_NOT_CANCELLABLE');
    expect(await seeSplit(server, partner, terminal, split)).toMatchObject({ Status: 'Expired' });
  });
});
