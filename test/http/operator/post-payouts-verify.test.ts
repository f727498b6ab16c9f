import { describe, expect, it } from 'vitest';
import { verifyPayout } from '#modules/payouts';
import { useApp } from '../../support/app.ts';
import { scriptedProvider, unknownPayout } from '../../support/payouts.ts';

const server = useApp();
const ask = (id: string) => server.operate('POST', `/payouts/${id}/verify`);
/** Has a provider say that it succeeded. */
const succeed = (id: string) => {
  const payoutProvider = scriptedProvider().provider;
  return verifyPayout({ ...server.resources, payoutProvider }, { id, actor: 'cli' });
};

describe('200', () => {
  it('asks the provider, and shows what is known now', async () => {
    const { id } = await unknownPayout(server);
    expect((await ask(id)).json()).toMatchObject({ id, state: 'UNKNOWN' });
    expect(await succeed(id)).toMatchObject({ id, state: 'SUCCESSFUL' });
  });
});

describe('409', () => {
  it('one that was not sent yet has nothing to ask about', async () => {
    const { partner, wallet } = await unknownPayout(server);
    const payload = { amount: 10, reference: 'another', accountNumber: '0123456789', bankCode: '058' };
    await server.call('POST', `/v2/partner/wallet/${wallet}/payout`, { headers: partner.headers, payload });
    const { items } = (await server.operate('GET', `/payouts?wallet=${wallet}&state=PENDING`)).json();
    const answer = await ask(items[0].id);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([409, 'PAYOUT_STATE_CONFLICT']);
  });
});

describe('503', () => {
  it('without a provider there is nobody to ask', async () => {
    const { id } = await unknownPayout(server);
    const asked = verifyPayout({ ...server.resources, payoutProvider: undefined }, { id, actor: 'cli' });
    await expect(asked).rejects.toMatchObject({ code: 'PROVIDER_NOT_CONFIGURED' });
  });
});
