import { describe, expect, it } from 'vitest';
import { type TestPartner, useSharedApp } from '../../support/app.ts';
import { createPayTag, newCustomer, newPerson } from '../../support/onboarding.ts';
import { moveMoney } from '../../support/wallets.ts';

const server = useSharedApp();
const link = ({ headers }: TestPartner, bvn: string, more: Record<string, string> = {}) =>
  server.call('POST', `/v2/partner/paytag/bvn/${bvn}`, { headers: { ...headers, ...more } });
const codeOf = (answer: { json<T>(): T }) => answer.json<{ errorCode: string }>().errorCode;

describe('200', () => {
  it('is the PartnerWallet of the PayTag that has the BVN, the same for its maker however often it asks', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    const made = await createPayTag(server, partner, person);
    for (let times = 0; times < 2; times += 1) {
      const answer = await link(partner, person.bvn);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.json()).toEqual(made.json());
    }
  });

  it('gives another partner a wallet of its own, whose money the first one does not see', async () => {
    const [maker, other] = [await server.newPartner({ float: 100 }), await server.newPartner()];
    const { bvn, paytag } = await newCustomer(server, maker);
    const first = (await link(maker, bvn)).json();
    await moveMoney(server, maker, first.Reference, 'credit', { amount: 40, reference: 'in' });
    const second = (await link(other, bvn)).json();
    expect(second).toMatchObject({ RevokedAt: null, PayTag: { Tag: paytag }, Wallet: { TotalAmount: 0 } });
    expect(second.Reference).not.toBe(first.Reference);
    expect(second.Wallet.Nuban).not.toBe(first.Wallet.Nuban);
    expect((await link(maker, bvn)).json().Wallet.TotalAmount).toBe(40);
    const foreign = await server.call('GET', `/v2/partner/wallet/${first.Reference}`, { headers: other.headers });
    expect(foreign.statusCode).toBe(404);
  });

  it('takes no body, and an empty one of any type', async () => {
    const partner = await server.newPartner();
    const { bvn } = await newCustomer(server, partner);
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      expect((await link(partner, bvn, { 'content-type': type })).statusCode).toBe(200);
    }
  });
});

describe('200 with blanks around the BVN', () => {
  it.each(['%20', '%09', '%0A', '%C2%A0'])('takes %s for no part of it', async (blank) => {
    const partner = await server.newPartner();
    const { bvn } = await newCustomer(server, partner);
    const answer = await link(partner, `${blank}${bvn}${blank}`);
    expect(answer.json()).toEqual((await link(partner, bvn)).json());
  });
});

describe('404', () => {
  it('no PayTag has this BVN', async () => {
    const answer = await link(await server.newPartner(), '22299999999');
    expect([answer.statusCode, codeOf(answer)]).toEqual([404, 'PAYTAG_NOT_FOUND']);
    expect(answer.body).not.toContain('22299999999');
  });
});
