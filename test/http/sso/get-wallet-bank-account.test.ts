import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { loggedIn } from '../../support/wallets.ts';

const server = useSharedApp();
const path = '/v2/sso/wallet/bank-account';

describe('200', () => {
  it('is the account that was linked, as linking it answered', async () => {
    const { headers } = await loggedIn(server, await server.newPartner());
    const payload = { accountNumber: '0123456789', bankCode: '057' };
    const linked = await server.call('POST', path, { headers, payload });
    expect(linked.json()).toMatchObject({ bankName: 'Zenith Bank' });
    const read = await server.call('GET', path, { headers });
    expect(read.statusCode).toBe(200);
    expect(read.headers['cache-control']).toBe('no-store');
    expect(read.json()).toEqual(linked.json());
  });
});
