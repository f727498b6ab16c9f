import { describe, expect, it } from 'vitest';
import { type TestPartner, useSharedApp } from '../../support/app.ts';
import { newTerminal, payAt, seeSplit } from '../../support/terminals.ts';

const server = useSharedApp();
const HOUR_MS = 60 * 60 * 1000;

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

describe('200', () => {
  it('makes a split on the terminal, which is answered again by its reference', async () => {
    const { partner, terminal } = await till();
    const asked = { amount: 1500.5, title: 'Fridge', description: 'Three months', reference: 'fridge-1' };
    const answer = await create(partner, terminal, asked);
    expect(answer.statusCode).toBe(200);
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

describe('400', () => {
  it.each([
    ['no amount', { title: 'x' }, 'amount'],
    ['an amount of zero', { amount: 0, title: 'x' }, 'amount'],
    ['an amount in a string', { amount: '10', title: 'x' }, 'amount'],
    ['no title', { amount: 1 }, 'title'],
    ['an empty title', { amount: 1, title: ' ' }, 'title'],
    ['an expiry without its offset', { amount: 1, title: 'x', expiresAt: '2099-01-01T10:00:00' }, 'expiresAt'],
    ['an expiry before all time', { amount: 1, title: 'x', expiresAt: '0001-01-01T00:00:00+23:59' }, 'expiresAt'],
    ['an expiry after all time', { amount: 1, title: 'x', expiresAt: '9999-12-31T23:59:59-23:59' }, 'expiresAt'],
    ['an expiry in the past', { amount: 1, title: 'x', expiresAt: '2020-01-01T10:00:00Z' }, 'expiresAt'],
  ])('%s', async (_what, payload, field) => {
    const { partner, terminal } = await till();
    const answer = await create(partner, terminal, payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0]).toMatch(new RegExp(`^${field}: `));
  });

  it('an expiry in the past leaves no split behind', async () => {
    const { partner, terminal } = await till();
    await create(partner, terminal, { amount: 1, title: 'x', reference: 'late', expiresAt: '2020-01-01T10:00:00Z' });
    expect(await seeSplit(server, partner, terminal, 'late')).toMatchObject({ errorCode: 'SPLIT_NOT_FOUND' });
  });

  it('no x-terminal', async () => {
    const { partner } = await till();
    const answer = await create(partner, undefined, { amount: 1, title: 'x' });
    expect([answer.statusCode, answer.json().errors[0]]).toEqual([400, expect.stringMatching(/^x-terminal: /)]);
  });
});

it('401: without credentials', async () => {
  const { terminal } = await till();
  const headers = { 'x-terminal': terminal };
  const answer = await server.call('POST', '/v2/partner/terminal/split', {
    headers,
    payload: { amount: 1, title: 'x' },
  });
  expect(answer.statusCode).toBe(401);
});

it('404: a terminal of another partner is as unknown as one that does not exist', async () => {
  const [{ partner }, { terminal: theirs }] = [await till(), await till()];
  for (const terminal of [theirs, 'SN-nobody']) {
    const answer = await create(partner, terminal, { amount: 1, title: 'x' });
    expect([answer.statusCode, answer.json().errorCode]).toEqual([404, 'TERMINAL_NOT_FOUND']);
  }
});

it.each([{ amount: 11 }, { title: 'Other' }, { description: 'Other' }, { expiresAt: '2099-01-01T10:00:00Z' }])(
  '409: a reference that is another split: %j',
  async (other) => {
    const { partner, terminal } = await till();
    const asked = { amount: 10, title: 'Fridge', reference: 'mine' };
    await create(partner, terminal, asked);
    const answer = await create(partner, terminal, { ...asked, ...other });
    expect([answer.statusCode, answer.json().errorCode]).toEqual([409, 'REFERENCE_REUSED']);
  },
);
