import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { createPayTag, logIn, newCustomer, newPerson } from '../../support/onboarding.ts';

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

describe('400', () => {
  it.each(['firstName', 'lastName', 'phone', 'bvn', 'tag'])('asks for %s', async (member) => {
    for (const given of [undefined, null, '', '  ', 7, ['a']]) {
      const answer = await create({ [member]: given });
      expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'INVALID_PARAMETER']);
      expect(answer.json().message).toMatch(new RegExp(`^${member}: `));
    }
  });

  it.each([
    ['firstName', '<b>'],
    ['lastName', '12345'],
    ['otherName', 'A\u202eda'],
    ['lastName', 'OBI%$#'],
    ['firstName', 'Ada2'],
    ['firstName', 'Ad\u0660'],
    ['otherName', 'Verified ✔'],
    ['otherName', 'Ngozi 👑'],
    ['otherName', '(Ngozi)'],
    ['otherName', 'Ng\u3164ozi'],
    ['firstName', "'-."],
    ['phone', '01 234 5678'],
    ['phone', '0803123'],
    ['bvn', '2221234567'],
    ['bvn', '٢٢٢١٢٣٤٥٦٧٨'],
    ['email', 'ada'],
    ['email', 'a@b.com\r\nBcc: c@d.com'],
    ['dateOfBirth', '1993-02-29'],
    ['dateOfBirth', '2999-01-01'],
    ['imageUrl', 'javascript:alert(1)'],
    ['imageUrl', 'https://user:word@images.example/a.png'],
    ['address', 'x'.repeat(501)],
  ])('refuses %s %j', async (member, given) => {
    const answer = await create({ [member]: given });
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'INVALID_PARAMETER']);
    expect(answer.json().message).toMatch(new RegExp(`^${member}: `));
  });

  it.each([
    ['INVALID_PAYTAG', 'ad'],
    ['INVALID_PAYTAG', 'a__b'],
    ['INVALID_PAYTAG', 'аda'],
    ['PAYTAG_RESERVED', 'adm1n'],
    ['PAYTAG_RESERVED', '8031234567'],
    ['PAYTAG_RESERVED', '234.803.123.4567'],
    ['PAYTAG_RESERVED', '0000000010'],
    ['PAYTAG_RESERVED', 'tel-08031234567'],
  ])('%s: %s', async (errorCode, tag) => {
    expect(codeOf(await create({ tag }))).toBe(errorCode);
  });

  it.each([
    ['BVN_NOT_FOUND', '22222222201'],
    ['BVN_MISMATCH', '22222222202'],
  ])('%s: what the register says of %s', async (errorCode, bvn) => {
    const answer = await create({ bvn });
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, errorCode]);
  });
});

describe('409', () => {
  it('PAYTAG_TAKEN: it is in use, in upper or lower case', async () => {
    const { paytag } = await newCustomer(server, await server.newPartner());
    const answer = await create({ tag: `@${paytag.toUpperCase()}` });
    expect([answer.statusCode, codeOf(answer)]).toEqual([409, 'PAYTAG_TAKEN']);
  });

  it('BVN_ALREADY_REGISTERED: the customer must be linked, and the PayTag stays free', async () => {
    const partner = await server.newPartner();
    const { bvn } = await newCustomer(server, partner);
    const tag = newPerson().paytag;
    const answer = await create({ bvn, tag });
    expect([answer.statusCode, codeOf(answer)]).toEqual([409, 'BVN_ALREADY_REGISTERED']);
    const verified = await server.call('GET', `/v2/sso/verify-tag?paytag=${tag}`, { headers: partner.headers });
    expect(verified.json()).toEqual({ paytag: tag, available: true });
  });

  it('IDEMPOTENCY_KEY_REUSED: another body under the same key; the same one answers as it did', async () => {
    const partner = await server.newPartner();
    const { paytag: tag, ...person } = newPerson();
    const send = (payload: object) =>
      server.call('POST', '/v2/partner/paytag', {
        headers: { ...partner.headers, 'idempotency-key': 'ada-1' },
        payload,
      });
    const first = await send({ ...person, tag });
    const again = await send({ ...person, tag });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toBe(first.body);
    expect(codeOf(await send({ ...person, tag: 'another' }))).toBe('IDEMPOTENCY_KEY_REUSED');
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
