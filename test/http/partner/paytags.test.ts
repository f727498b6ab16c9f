import { describe, expect, it } from 'vitest';
import { type TestPartner, useSharedApp } from '../../support/app.ts';
import { createPayTag, logIn, newCustomer, newPerson } from '../../support/onboarding.ts';
import { refusalOf } from '../../support/refusals.ts';
import { moveMoney } from '../../support/wallets.ts';

const server = useSharedApp();

describe('POST /paytag', () => {
  const create = async (given: object) => {
    const { headers } = await server.newPartner();
    const { paytag: tag, ...person } = newPerson();
    return server.call('POST', '/v2/partner/paytag', { headers, payload: { ...person, tag, ...given } });
  };
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

  it('makes customer, PayTag and wallet, and answers every member of the contract', async () => {
    const imageUrl = 'https://images.example/ada.png';
    const tag = newPerson().paytag;
    const answer = await create({
      firstName: ' Adaobi ',
      otherName: 'Ngozi  Ada',
      lastName: 'Ọbị',
      phone: '0803 123 4567',
      email: 'ada@example.com',
      address: '12 Marina Road, Lagos',
      imageUrl,
      tag: `@${tag.toUpperCase()}`,
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const name = 'Adaobi Ngozi Ada Ọbị';
    const payTag = { Tag: tag, Name: name, Email: 'ada@example.com', Phone: '+2348031234567', ImageUrl: imageUrl };
    expect(answer.json()).toEqual({
      ID: expect.any(Number),
      Reference: expect.stringMatching(/^PW-[0-9a-f]{32}$/),
      RevokedAt: null,
      CreatedAt: moment,
      UpdatedAt: moment,
      PayTag: payTag,
      Wallet: {
        ID: expect.any(Number),
        CreatedAt: moment,
        UpdatedAt: moment,
        TotalAmount: 0,
        SuspendedAmount: 0,
        BlockedAmount: 0,
        AvailableAmount: 0,
        Amount: 0,
        Currency: 'NGN',
        Status: 'Enabled',
        Nuban: expect.stringMatching(/^\d{10}$/),
        Type: { Name: 'PayTag' },
        PayTag: payTag,
        Name: name,
      },
    });
  });

  it('keeps metadata with the wallet, and shows it wherever the wallet is shown', async () => {
    const partner = await server.newPartner();
    const { paytag: tag, ...person } = newPerson();
    const metadata = { branch: 'Ikeja', tier: { name: 'gold' } };
    const payload = { ...person, tag, metadata };
    const created = (await server.call('POST', '/v2/partner/paytag', { headers: partner.headers, payload })).json();
    expect(created.Wallet.Metadata).toEqual(metadata);
    const { headers } = partner;
    const linked = await server.call('POST', `/v2/partner/paytag/bvn/${person.bvn}`, { headers });
    expect(linked.json()).toEqual(created);
  });

  it('takes null and the empty string in optional members for absent', async () => {
    const nothing = { otherName: '', email: null, dateOfBirth: '', imageUrl: null, address: ' ' };
    const { PayTag } = (await create(nothing)).json();
    expect(Object.keys(PayTag).toSorted()).toEqual(['Name', 'Phone', 'Tag']);
  });

  it('sets no password: the customer cannot log in until onboarding sets one', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    await createPayTag(server, partner, person);
    expect(refusalOf(await logIn(server, partner, person.paytag))).toEqual([401, 'PASSWORD_NOT_SET']);
  });

  it('resolves on the switch from then on', async () => {
    const { Tag } = (await create({})).json().PayTag;
    const resolved = await server.call('GET', `/api/v1/tags/${Tag}`);
    expect(resolved.json().data).toMatchObject({ tagString: Tag, canonicalOwner: { displayName: 'Ada Obi' } });
  });

  it('502: the register does not answer: nothing is made, and the request is safe to send again', async () => {
    const { paytag: tag } = newPerson();
    const answer = await create({ bvn: '22222222203', tag });
    expect(refusalOf(answer)).toEqual([502, 'BVN_PROVIDER_UNAVAILABLE']);
    expect(answer.headers['retry-after']).toBe('5');
    expect((await create({ tag })).statusCode).toBe(200);
  });
});

describe('POST /paytag/bvn/{bvn}', () => {
  const link = ({ headers }: TestPartner, bvn: string, more: Record<string, string> = {}) =>
    server.call('POST', `/v2/partner/paytag/bvn/${bvn}`, { headers: { ...headers, ...more } });

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

  describe('200 with blanks around the BVN', () => {
    it.each(['%20', '%09', '%0A', '%C2%A0'])('takes %s for no part of it', async (blank) => {
      const partner = await server.newPartner();
      const { bvn } = await newCustomer(server, partner);
      const answer = await link(partner, `${blank}${bvn}${blank}`);
      expect(answer.json()).toEqual((await link(partner, bvn)).json());
    });
  });

  it('404: no PayTag has this BVN', async () => {
    const answer = await link(await server.newPartner(), '22299999999');
    expect(refusalOf(answer)).toEqual([404, 'PAYTAG_NOT_FOUND']);
    expect(answer.body).not.toContain('22299999999');
  });
});
