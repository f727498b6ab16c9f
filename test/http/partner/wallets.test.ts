import { describe, expect, it } from 'vitest';
import { assignAccount } from '#modules/collections';
import type { InboundProvider } from '../../../src/providers/inbound/port.ts';
import { type Answer, useApp } from '../../support/app.ts';
import { createPayTag, newPerson } from '../../support/onboarding.ts';
import { refusalOf } from '../../support/refusals.ts';
import { changeWallet, fundedWallet, kycWallet, newReference, newWallet } from '../../support/wallets.ts';

const server = useApp();

describe('GET /wallet', () => {
  const list = (headers: Record<string, string>, query = '') =>
    server.call('GET', `/v2/partner/wallet${query}`, { headers });
  const references = (answer: Awaited<ReturnType<typeof list>>): string[] =>
    answer.json<{ items: { Reference: string }[] }>().items.map(({ Reference }) => Reference);

  it('lists this partner’s wallets, newest first, each as it is shown by itself', async () => {
    const [partner, other] = [await server.newPartner(), await server.newPartner()];
    await kycWallet(server, other);
    const kyc = await kycWallet(server, partner);
    const person = newPerson();
    const payTag = (await createPayTag(server, partner, person)).json<{ Reference: string }>();
    const points = await kycWallet(server, partner, 'FP');

    const answer = await list(partner.headers);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toMatchObject({ count: 3, limit: 20, offset: 0 });
    expect(references(answer)).toEqual([points, payTag.Reference, kyc]);
    expect(answer.json().items[1]).toEqual(payTag);
    expect(answer.json().items[1]).toMatchObject({ PayTag: { Tag: person.paytag }, RevokedAt: null });
    expect(answer.json().items[2]).toMatchObject({ KycProfile: { Name: 'Chidi Okafor' } });
  });

  it('in pages; past the end an empty one with the true count', async () => {
    const partner = await server.newPartner();
    const all = [];
    for (let turn = 0; turn < 5; turn++) all.unshift(await kycWallet(server, partner));
    expect(references(await list(partner.headers, '?limit=2&offset=1'))).toEqual(all.slice(1, 3));
    const past = await list(partner.headers, '?limit=500&offset=9');
    expect(past.json()).toEqual({ items: [], count: 5, limit: 100, offset: 9 });
    expect((await list(partner.headers, '?limit=0')).json()).toMatchObject({ items: [], count: 5 });
  });
});

describe('GET /wallet/{reference}', () => {
  const get = (headers: Record<string, string>, reference: string) =>
    server.call('GET', `/v2/partner/wallet/${reference}`, { headers });

  it('200: the PartnerWallet with the five amounts and the status as they are now', async () => {
    const { partner, wallet } = await fundedWallet(server, 500);
    await server.operate('POST', `/wallets/${wallet}/liens`, { amount: 120.5, reason: 'court order' });
    await changeWallet(server, wallet, { status: 'PND' });
    const answer = await get(partner.headers, wallet);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toMatchObject({
      Reference: wallet,
      RevokedAt: null,
      KycProfile: { Name: 'Chidi Okafor' },
      Wallet: {
        TotalAmount: 500,
        SuspendedAmount: 0,
        BlockedAmount: 120.5,
        AvailableAmount: 379.5,
        Amount: 500,
        Status: 'PND',
        Currency: 'NGN',
      },
    });
  });
});

describe('POST /wallet', () => {
  const kyc = { firstName: 'Chidi', otherName: 'Emeka', lastName: 'Okafor' };
  const open = async (headers: Record<string, string>, payload: object) =>
    server.call('POST', '/v2/partner/wallet', { headers, payload });

  it('opens a wallet for a new KYC profile, with every member of the contract', async () => {
    const { headers } = await server.newPartner();
    const answer = await open(headers, { kyc });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      ID: expect.any(Number),
      Reference: expect.stringMatching(/^PW-[0-9a-f]{32}$/),
      RevokedAt: null,
      CreatedAt: expect.any(String),
      UpdatedAt: expect.any(String),
      KycProfile: { ID: expect.any(Number), Name: 'Chidi Emeka Okafor' },
      Wallet: {
        ID: expect.any(Number),
        CreatedAt: expect.any(String),
        UpdatedAt: expect.any(String),
        TotalAmount: 0,
        SuspendedAmount: 0,
        BlockedAmount: 0,
        AvailableAmount: 0,
        Amount: 0,
        Currency: 'NGN',
        Status: 'Enabled',
        Nuban: expect.stringMatching(/^\d{10}$/),
        Type: { Name: 'KYC' },
        Name: 'Chidi Emeka Okafor',
      },
    });
  });

  it('opens one more wallet for a profile of this partner, in the currency asked for', async () => {
    const { headers } = await server.newPartner();
    const first = (await open(headers, { kyc })).json();
    const second = (await open(headers, { profileId: first.KycProfile.ID, currency: 'FP' })).json();
    expect(second.KycProfile).toEqual(first.KycProfile);
    expect(second.Reference).not.toBe(first.Reference);
    expect(second.Wallet.Nuban).not.toBe(first.Wallet.Nuban);
    expect(second.Wallet.Currency).toBe('FP');
  });

  it('keeps metadata with the wallet, and shows it wherever the wallet is shown', async () => {
    const { headers } = await server.newPartner();
    const metadata = { branch: 'Ikeja', tier: { name: 'gold', since: 2024 }, tags: [1, null] };
    const opened = (await open(headers, { kyc, metadata })).json();
    expect(opened.Wallet.Metadata).toEqual(metadata);
    const read = await server.call('GET', `/v2/partner/wallet/${opened.Reference}`, { headers });
    const listed = await server.call('GET', '/v2/partner/wallet', { headers });
    expect(read.json()).toEqual(opened);
    expect(listed.json().items).toEqual([opened]);
  });
});

describe('POST /wallet, of a profile', () => {
  const chidi = { firstName: 'Chidi', otherName: 'Emeka', lastName: 'Okafor' };
  const ngozi = { firstName: 'Ngozi', lastName: 'Bello' };

  type Headers = Record<string, string>;
  const open = (headers: Headers, payload: object) => server.call('POST', '/v2/partner/wallet', { headers, payload });
  const newHeaders = async (): Promise<Headers> => (await server.newPartner()).headers;
  const profileOf = (answer: Answer) => answer.json().KycProfile;
  const outcomeOf = (answer: Answer) => [answer.statusCode, answer.json().errorCode ?? answer.json().KycProfile.Name];
  const MISMATCH = [409, 'PROFILE_MISMATCH'];

  describe('a profileId beside kyc is the partner’s own number of a person', () => {
    it('makes the profile under this number the first time, and opens one more wallet for it every later time', async () => {
      const headers = await newHeaders();
      const first = await open(headers, { kyc: chidi, profileId: 2_348_031_234_567 });
      expect(profileOf(first)).toEqual({ ID: 2_348_031_234_567, Name: 'Chidi Emeka Okafor' });
      const again = await open(headers, { kyc: chidi, profileId: 2_348_031_234_567 });
      const alone = await open(headers, { profileId: 2_348_031_234_567 });
      for (const later of [again, alone]) expect(profileOf(later)).toEqual(profileOf(first));
      expect(new Set([first, again, alone].map((one) => one.json().Reference)).size).toBe(3);
    });

    it('means another person at each partner', async () => {
      const [one, two] = [await newHeaders(), await newHeaders()];
      expect(profileOf(await open(one, { kyc: chidi, profileId: 7 })).Name).toBe('Chidi Emeka Okafor');
      expect(profileOf(await open(two, { kyc: ngozi, profileId: 7 }))).toEqual({ ID: 7, Name: 'Ngozi Bello' });
      expect(profileOf(await open(one, { profileId: 7 })).Name).toBe('Chidi Emeka Okafor');
    });

    it('is shown as KycProfile.ID by every read of the wallet, and to the operator', async () => {
      const { id: partnerId, headers } = await server.newPartner();
      await open(headers, { kyc: chidi });
      const { Reference } = (await open(headers, { kyc: ngozi, profileId: 500 })).json();
      const read = await server.call('GET', `/v2/partner/wallet/${Reference}`, { headers });
      const listed = await server.call('GET', '/v2/partner/wallet', { headers });
      const operator = await server.operate('GET', `/wallets/${Reference}`);
      const operatorsList = await server.operate('GET', `/wallets?partnerId=${partnerId}`);
      expect([read.json().KycProfile.ID, listed.json().items[0].KycProfile.ID]).toEqual([500, 500]);
      expect([operator.json().kycProfileId, operatorsList.json().items[0].kycProfileId]).toEqual([500, 500]);
    });

    it.each([
      ['another first name', { ...chidi, firstName: 'Chidinma' }],
      ['another last name', { ...chidi, lastName: 'Okoro' }],
      ['names that are swapped', { ...chidi, firstName: 'Okafor', lastName: 'Chidi' }],
      ['another other name', { ...chidi, otherName: 'Obinna' }],
      ['another person altogether', ngozi],
    ])('409 for %s, and no wallet is opened', async (_what, kyc) => {
      const headers = await newHeaders();
      await open(headers, { kyc: chidi, profileId: 7 });
      expect(outcomeOf(await open(headers, { kyc, profileId: 7 }))).toEqual(MISMATCH);
      expect((await server.call('GET', '/v2/partner/wallet', { headers })).json().count).toBe(1);
    });

    it('409 for an other name that the profile does not have', async () => {
      const headers = await newHeaders();
      await open(headers, { kyc: ngozi, profileId: 7 });
      expect(outcomeOf(await open(headers, { kyc: { ...ngozi, otherName: 'Ada' }, profileId: 7 }))).toEqual(MISMATCH);
    });

    it.each([
      ['case, accents and blanks', { firstName: ' CHÍDI ', otherName: 'emeka', lastName: 'Ọkafọr' }],
      ['hyphens and apostrophes', { firstName: 'Chi-di', otherName: 'E’meka', lastName: 'Oka for' }],
      ['no other name', { firstName: 'Chidi', lastName: 'Okafor' }],
      ['null for the other name', { firstName: 'Chidi', otherName: null, lastName: 'Okafor' }],
    ])('is used by the same names written with %s', async (_what, kyc) => {
      const headers = await newHeaders();
      const first = await open(headers, { kyc: chidi, profileId: 7 });
      const again = await open(headers, { kyc, profileId: 7 });
      expect(again.statusCode).toBe(200);
      expect(profileOf(again)).toEqual(profileOf(first));
    });

    it('makes one profile, however many first calls come at once', async () => {
      const headers = await newHeaders();
      const calls = Array.from({ length: 12 }, (_, index) =>
        open(headers, { kyc: index % 2 ? ngozi : chidi, profileId: 7 }),
      );
      const answers = await Promise.all(calls);
      const [opened, refused] = [200, 409].map((status) => answers.filter(({ statusCode }) => statusCode === status));
      expect(new Set(opened?.map((answer) => JSON.stringify(profileOf(answer)))).size).toBe(1);
      expect(opened).toHaveLength(6);
      expect(refused?.map(outcomeOf)).toEqual(Array.from({ length: 6 }, () => MISMATCH));
    });
  });

  describe('without a profileId we number', () => {
    it.each([[undefined], [null], [''], [0], [-3]])('which a profileId of %j is', async (profileId) => {
      const headers = await newHeaders();
      expect(profileOf(await open(headers, { kyc: chidi, profileId })).ID).toBe(1);
      expect(profileOf(await open(headers, { kyc: chidi, profileId })).ID).toBe(2);
    });

    it('with the next number that the partner has not chosen itself', async () => {
      const headers = await newHeaders();
      for (const profileId of [2, 3, Number.MAX_SAFE_INTEGER]) await open(headers, { kyc: ngozi, profileId });
      const numbered = [];
      for (let count = 0; count < 3; count += 1) numbered.push(profileOf(await open(headers, { kyc: chidi })).ID);
      expect(numbered).toEqual([1, 4, 5]);
    });

    it('never two people alike, though all come at once and the partner chooses the very same numbers', async () => {
      const headers = await newHeaders();
      const ours = Array.from({ length: 10 }, () => open(headers, { kyc: chidi }));
      const theirs = Array.from({ length: 10 }, (_, index) => open(headers, { kyc: ngozi, profileId: index + 1 }));
      const numbered = (await Promise.all(ours)).map(profileOf);
      expect(new Set(numbered.map(({ ID }) => ID)).size).toBe(10);
      for (const { Name } of numbered) expect(Name).toBe('Chidi Emeka Okafor');
      for (const answer of await Promise.all(theirs)) {
        expect([[200, 'Ngozi Bello'], MISMATCH]).toContainEqual(outcomeOf(answer));
      }
    });
  });

  it.each([[null], [{}], [{ firstName: '', lastName: null }], [{ firstName: ' ', nickname: 'Chi' }]])(
    'kyc that holds nothing is absent beside a profileId: %j',
    async (kyc) => {
      const headers = await newHeaders();
      expect(outcomeOf(await open(headers, { kyc, profileId: 7 }))).toEqual([404, 'PROFILE_NOT_FOUND']);
      await open(headers, { kyc: chidi, profileId: 7 });
      expect(profileOf(await open(headers, { kyc, profileId: 7 }))).toEqual({ ID: 7, Name: 'Chidi Emeka Okafor' });
    },
  );
});

describe('the account number of a wallet', () => {
  describe('an account number of the simulator', () => {
    it('is the same each time, and takes the sandbox’s transfers once', async () => {
      const partner = await server.newPartner();
      const { reference: walletReference } = await newWallet(server, partner);
      const url = `/v2/partner/wallet/${walletReference}/account`;
      const { headers } = partner;
      const account = (await server.call('POST', url, { headers })).json();
      expect(account).toMatchObject({ AccountNumber: expect.stringMatching(/^9\d{9}$/), Provider: 'simulator' });
      expect((await server.call('POST', url, { headers })).json()).toEqual(account);

      const payload = {
        nuban: account.AccountNumber,
        amount: 75.5,
        reference: newReference(),
        sender: { name: 'Bola Ade' },
      };
      const pay = (given: object = {}) =>
        server.call('POST', '/v2/sandbox/payment/inbound', { headers, payload: { ...payload, ...given } });
      const paid = await pay();
      expect([paid.statusCode, paid.json()]).toMatchObject([
        200,
        { Type: 'INBOUND', Amount: 75.5, Status: 'Successful' },
      ]);
      expect((await pay()).json()).toEqual(paid.json());
      expect((await pay({ amount: 1 })).json().errorCode).toBe('REFERENCE_REUSED');
      const wallet = await server.call('GET', `/v2/partner/wallet/${walletReference}`, { headers });
      expect(wallet.json().Wallet.TotalAmount).toBe(75.5);
      expect((await server.operate('GET', '/ledger/check')).json().ok).toBe(true);
    });

    it('is given to wallets in naira alone', async () => {
      const { headers } = await server.newPartner();
      const kyc = { firstName: 'Ada', lastName: 'Obi' };
      const made = await server.call('POST', '/v2/partner/wallet', {
        headers,
        payload: { kyc, profileId: 1, currency: 'FP' },
      });
      const answer = await server.call('POST', `/v2/partner/wallet/${made.json().Reference}/account`, { headers });
      expect(refusalOf(answer)).toEqual([422, 'CURRENCY_MISMATCH']);
    });
  });

  describe('a provider that answers the number of another wallet', () => {
    it('is refused, each time that it is asked, and gives neither wallet what is the other’s', async () => {
      const partner = await server.newPartner();
      const [first, second] = [await newWallet(server, partner), await newWallet(server, partner)];
      const inboundProvider: InboundProvider = {
        name: 'simulator',
        assign: async () => ({ accountNumber: '9999999990', bankName: 'Bank', bankCode: '999', accountName: 'ADA' }),
      };
      const assign = ({ reference: walletReference }: { reference: string }) =>
        assignAccount({ ...server.resources, inboundProvider }, { partnerId: partner.id, walletReference });
      await assign(first);
      for (const _time of [1, 2])
        await expect(assign(second)).rejects.toMatchObject({ code: 'INBOUND_PROVIDER_UNAVAILABLE' });
      expect(server.logged).toContain('a provider assigned one account number to two wallets');
      const url = `/v2/partner/wallet/${second.reference}/account`;
      const { headers } = partner;
      expect((await server.call('GET', url, { headers })).json()).toMatchObject({ items: [] });
      expect((await server.call('POST', url, { headers })).statusCode).toBe(200);
    });
  });

  describe('without a provider', () => {
    const without = useApp({ INBOUND_PROVIDER: 'none' }, server);

    it('there are no account numbers: 503', async () => {
      const partner = await without.newPartner();
      const { reference: walletReference } = await newWallet(without, partner);
      const answer = await without.call('POST', `/v2/partner/wallet/${walletReference}/account`, {
        headers: partner.headers,
      });
      expect(refusalOf(answer)).toEqual([503, 'PROVIDER_NOT_CONFIGURED']);
    });
  });
});

describe('the credentials of a partner', () => {
  it('a key of another environment says so', async () => {
    const partner = await server.newPartner();
    const answer = await server.call('POST', '/v2/partner/wallet', {
      headers: { ...partner.headers, 'x-api-key': partner.apiKey.replace('sk_sandbox_', 'sk_live_') },
    });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({
      errorCode: 'KEY_ENVIRONMENT_MISMATCH',
      message: expect.stringContaining('live'),
    });
  });

  it('the API key is stored as a digest only', async () => {
    const partner = await server.newPartner();
    const { rows } = await server.owner.query('select * from partners.api_key where partner_id = $1', [partner.id]);
    expect(JSON.stringify(rows)).not.toContain(partner.apiKey);
    expect(rows[0].digest).toHaveLength(32);
  });
});
