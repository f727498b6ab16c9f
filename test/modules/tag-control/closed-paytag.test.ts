import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { authCode, customerToken, exchange, logIn, newCustomer } from '../../support/onboarding.ts';

const server = useApp();
const move = (paytag: string, what: 'suspend' | 'close') =>
  server.operate('POST', `/tags/${paytag}/${what}`, { reason: `to ${what} it` });

it('closing a PayTag ends its owner’s tokens and codes at once, at every partner, and nobody else’s', async () => {
  const [here, there] = [await server.newPartner(), await server.newPartner()];
  const [{ paytag }, other] = [await newCustomer(server, here), await newCustomer(server, here)];
  const walletWith = async (partner: typeof here, token: string) => {
    const headers = { ...partner.headers, authorization: `Bearer ${token}` };
    return (await server.call('GET', '/v2/sso/wallet', { headers })).statusCode;
  };
  const [hers, hersThere] = [await customerToken(server, here, paytag), await customerToken(server, there, paytag)];
  const others = await customerToken(server, here, other.paytag);
  const code = await authCode(server, here, paytag);

  await move(paytag, 'suspend');
  expect(await walletWith(here, hers)).toBe(200);
  await move(paytag, 'close');
  expect([await walletWith(here, hers), await walletWith(there, hersThere)]).toEqual([401, 401]);
  expect((await exchange(server, here, code)).json().errorCode).toBe('INVALID_AUTH_CODE');
  expect(await walletWith(here, others)).toBe(200);
});

it('no login or exchange under way outlives the closing of its PayTag', async () => {
  const partner = await server.newPartner();
  for (let round = 0; round < 5; round++) {
    const { paytag } = await newCustomer(server, partner);
    const logInAndAct = async () => {
      const login = await logIn(server, partner, paytag);
      if (login.statusCode !== 200) return undefined;
      const { statusCode, body } = await exchange(
        server,
        partner,
        new URL(login.body).searchParams.get('auth-code') ?? '',
      );
      return statusCode === 200 ? body : undefined;
    };
    const [closed, ...tokens] = await Promise.all([move(paytag, 'close'), ...Array.from({ length: 4 }, logInAndAct)]);
    expect(closed.statusCode).toBe(200);
    for (const token of tokens.filter((one) => one !== undefined)) {
      const headers = { ...partner.headers, authorization: `Bearer ${token}` };
      expect((await server.call('GET', '/v2/sso/wallet', { headers })).statusCode).toBe(401);
    }
  }
});
