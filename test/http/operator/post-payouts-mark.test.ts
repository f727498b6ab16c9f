import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newOperator } from '../../support/operators.ts';
import { unknownPayout } from '../../support/payouts.ts';

const server = useSharedApp();
const REASON = { reason: 'the bank says so' };
const mark = (id: string, outcome: string) => server.operate('POST', `/payouts/${id}/mark`, { outcome, ...REASON });
const stateOf = async (id: string) => (await server.operate('GET', `/payouts/${id}`)).json().state;

/** Another operator agrees with what was asked for. */
const agree = async (request: string) => {
  const { token } = await newOperator(server, 'finance');
  const headers = { authorization: `Bearer ${token}` };
  return server.call('POST', `/operator/v1/approvals/${request}/approve`, { headers, payload: {} });
};

describe('200', () => {
  it.each(['SUCCESSFUL', 'FAILED'])('is %s once another operator agrees, and no sooner', async (outcome) => {
    const { id } = await unknownPayout(server);
    const asked = await mark(id, outcome);
    expect(asked.statusCode).toBe(202);
    expect(await stateOf(id)).toBe('UNKNOWN');
    const own = await server.operate('POST', `/approvals/${asked.json().id}/approve`, {});
    expect(own.json().errorCode).toBe('APPROVAL_OWN');
    expect((await agree(asked.json().id)).statusCode).toBe(200);
    expect(await stateOf(id)).toBe(outcome);
  });
});

describe('409', () => {
  it('one whose end is known by then is not marked otherwise', async () => {
    const { id } = await unknownPayout(server);
    const [first, second] = [await mark(id, 'SUCCESSFUL'), await mark(id, 'FAILED')];
    await agree(first.json().id);
    expect((await agree(second.json().id)).json().errorCode).toBe('PAYOUT_STATE_CONFLICT');
    expect(await stateOf(id)).toBe('SUCCESSFUL');
  });
});
