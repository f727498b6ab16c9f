import { expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import {
  authCode,
  createPayTag,
  customerToken,
  exchange,
  logIn,
  newCustomer,
  newPerson,
} from '../../support/onboarding.ts';

const server = useSharedApp();
const move = (paytag: string, what: 'suspend' | 'close') =>
  server.operate('POST', `/tags/${paytag}/${what}`, { reason: `to ${what} it` });

it('closing a PayTag ends its owner’s tokens and codes at once, at every partner, and no one else’s', async () => {
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

it('a closed PayTag cannot be linked, and no wallet or beneficiary shows its handle, which may be reassigned', async () => {
  const [partner, other] = [await server.newPartner({ float: 100 }), await server.newPartner()];
  const [payer, person] = [await newCustomer(server, partner), newPerson()];
  const made = (await createPayTag(server, partner, person)).json();
  const { headers } = partner;
  const asPayer = { ...headers, authorization: `Bearer ${await customerToken(server, partner, payer.paytag)}` };
  const link = (by: typeof partner) =>
    server.call('POST', `/v2/partner/paytag/bvn/${person.bvn}`, { headers: by.headers });
  const { Reference: payers } = (await server.call('POST', `/v2/partner/paytag/bvn/${payer.bvn}`, { headers })).json();
  const credit = { amount: 50, reference: 'opening' };
  await server.call('POST', `/v2/partner/wallet/${payers}/credit`, { headers, payload: credit });
  const lunch = { paytag: person.paytag, amount: 5, reference: 'lunch' };
  expect((await server.call('POST', '/v2/sso/transaction', { headers: asPayer, payload: lunch })).statusCode).toBe(200);

  await move(person.paytag, 'close');
  for (const by of [partner, other]) expect((await link(by)).json().errorCode).toBe('PAYTAG_NOT_FOUND');
  const wallet = (await server.call('GET', `/v2/partner/wallet/${made.Reference}`, { headers })).json();
  expect(wallet.PayTag).toEqual({ Name: 'Ada Obi', Email: person.email, Phone: person.phone.replace(/^0/, '+234') });
  expect(wallet.Wallet).toMatchObject({ Name: 'Ada Obi', TotalAmount: 5 });
  const listed = (await server.call('GET', '/v2/partner/wallet', { headers })).json();
  expect(listed.items.find(({ ID }: { ID: number }) => ID === wallet.ID)).toEqual(wallet);
  expect((await server.call('GET', '/v2/sso/beneficiary', { headers: asPayer })).json().items).toEqual([]);
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
