import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newCustomer } from '../../support/onboarding.ts';

const server = useSharedApp();
const verify = async (query: string) => {
  const { headers } = await server.newPartner();
  return server.call('GET', `/v2/sso/verify-tag${query}`, { headers });
};

describe('200', () => {
  it('says that a free PayTag is available, in its normal form', async () => {
    const answer = await verify('?paytag=@Chinedu.99');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ paytag: 'chinedu.99', available: true });
  });

  it('says that a taken one, a reserved one and its look-alike are not available', async () => {
    const { paytag } = await newCustomer(server, await server.newPartner());
    for (const text of [paytag, paytag.toUpperCase(), 'support', 'supp0rt']) {
      expect((await verify(`?paytag=${text}`)).json()).toMatchObject({ available: false });
    }
  });
});
