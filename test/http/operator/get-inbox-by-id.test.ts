import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { unknownPayment } from '../../support/inbound.ts';

const server = useApp();

describe('200', () => {
  it('says what a provider told us, and what has become of it', async () => {
    const id = await unknownPayment(server);
    expect((await server.operate('GET', `/inbox/${id}`)).json()).toMatchObject({
      id,
      provider: 'simulator',
      origin: 'HOOK',
      kind: 'CHARGE',
      amount: 100,
      currency: 'NGN',
      accountNumber: '9000000000',
      senderName: 'Randall Horton',
      state: 'DIFFERENT',
      difference: 'ACCOUNT_UNKNOWN',
      attempts: 1,
    });
  });
});
