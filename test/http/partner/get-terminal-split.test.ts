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

it('400: without x-terminal', async () => {
  const { partner, split } = await till();
  const answer = await see(partner, undefined, split);
  expect([answer.statusCode, answer.json().errors[0]]).toEqual([400, expect.stringMatching(/^x-terminal: /)]);
});

it('401: without credentials', async () => {
  const { terminal, split } = await till();
  const headers = { 'x-terminal': terminal };
  expect((await server.call('GET', `/v2/partner/terminal/split/${split}`, { headers })).statusCode).toBe(401);
});

describe('404', () => {
  it('a split of another terminal of the same partner', async () => {
    const { partner, split } = await till();
    const answer = await see(partner, await newTerminal(server, partner), split);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([404, 'SPLIT_NOT_FOUND']);
  });

  it('a terminal of another partner, whose split it is', async () => {
    const [{ partner }, theirs] = [await till(), await till()];
    const answer = await see(partner, theirs.terminal, theirs.split);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([404, 'TERMINAL_NOT_FOUND']);
  });

  it('a split that does not exist', async () => {
    const { partner, terminal } = await till();
    expect((await see(partner, terminal, 'SPL-nobody')).json().errorCode).toBe('SPLIT_NOT_FOUND');
  });
});
