import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { unknownPayout } from '../../support/payouts.ts';

const server = useSharedApp();

describe('200', () => {
  it('says where the money goes, and what is known of it', async () => {
    const { id, partner, wallet } = await unknownPayout(server);
    expect((await server.operate('GET', `/payouts/${id}`)).json()).toMatchObject({
      id,
      reference: 'payout',
      partnerId: partner.id,
      wallet,
      amount: 300.03,
      state: 'UNKNOWN',
      accountNumber: '0123456789',
      bankCode: '058',
      accountName: 'OKAFOR CHIDI',
      provider: 'simulator',
      attempts: 1,
    });
  });
});

describe('404', () => {
  it('a payout that there is not', async () => {
    const answer = await server.operate('GET', '/payouts/00000000-0000-7000-8000-000000000000');
    expect([answer.statusCode, answer.json().errorCode]).toEqual([404, 'PAYOUT_NOT_FOUND']);
  });
});
