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
