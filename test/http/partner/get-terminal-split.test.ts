import { describe, expect, it } from 'vitest';
import { type TestPartner, useSharedApp } from '../../support/app.ts';
import { newSplit, newTerminal, payAt } from '../../support/terminals.ts';

const server = useSharedApp();
const see = (partner: TestPartner, terminal: string | undefined, split: string) =>
  server.call('GET', `/v2/partner/terminal/split/${encodeURIComponent(split)}`, {
    headers: { ...partner.headers, ...(terminal === undefined ? {} : { 'x-terminal': terminal }) },
  });

async function till() {
  const partner = await server.newPartner();
  const terminal = await newTerminal(server, partner);
  return { partner, terminal, split: await newSplit(server, terminal, 100, { description: 'Two halves' }) };
}

describe('200', () => {
  it('shows what is paid and what remains, from Pending to Paid', async () => {
    const { partner, terminal, split } = await till();
    const fixed = { Amount: 100, Reference: split, Title: 'Phone', Description: 'Two halves' };
    const answer = await see(partner, terminal, split);
    expect(answer.statusCode).toBe(200);
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
