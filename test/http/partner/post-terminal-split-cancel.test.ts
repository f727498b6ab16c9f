import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newSplit, newTerminal, seeSplit } from '../../support/terminals.ts';

const server = useApp();
const HOUR_MS = 60 * 60 * 1000;

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
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({ Reference: split, Status: 'Cancelled', TotalPaid: 0, Remaining: 100 });
  expect(await seeSplit(server, partner, terminal, split)).toEqual(answer.json());
});

describe('409', () => {
  it('when it has expired', async () => {
    const expiresAt = new Date(server.clock.now().getTime() + HOUR_MS).toISOString();
    const { partner, terminal, split } = await till({ expiresAt });
    server.clock.advance(HOUR_MS);
    expect((await cancel(partner, terminal, split)).json().errorCode).toBe('SPLIT_NOT_CANCELLABLE');
    expect(await seeSplit(server, partner, terminal, split)).toMatchObject({ Status: 'Expired' });
  });
});
