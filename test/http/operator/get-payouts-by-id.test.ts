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
