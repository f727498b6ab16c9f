import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { createPayTag, logIn, newPerson } from '../../support/onboarding.ts';

const server = useSharedApp();
const create = async (given: object) => {
  const { headers } = await server.newPartner();
  const { paytag: tag, ...person } = newPerson();
  return server.call('POST', '/v2/partner/paytag', { headers, payload: { ...person, tag, ...given } });
};
const codeOf = (answer: { json<T>(): T }) => answer.json<{ errorCode: string }>().errorCode;
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe('200', () => {
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
    const refused = await logIn(server, partner, person.paytag);
    expect([refused.statusCode, codeOf(refused)]).toEqual([401, 'PASSWORD_NOT_SET']);
  });

  it('resolves on the switch from then on', async () => {
    const { Tag } = (await create({})).json().PayTag;
    const resolved = await server.call('GET', `/api/v1/tags/${Tag}`);
    expect(resolved.json().data).toMatchObject({ tagString: Tag, canonicalOwner: { displayName: 'Ada Obi' } });
  });
});

describe('502', () => {
  it('the register does not answer: nothing is made, and the request is safe to send again', async () => {
    const { paytag: tag } = newPerson();
    const answer = await create({ bvn: '22222222203', tag });
    expect([answer.statusCode, codeOf(answer)]).toEqual([502, 'BVN_PROVIDER_UNAVAILABLE']);
    expect(answer.headers['retry-after']).toBe('5');
    expect((await create({ tag })).statusCode).toBe(200);
  });
});
