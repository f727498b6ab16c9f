import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';

const server = useSharedApp();
const kyc = { firstName: 'Chidi', otherName: 'Emeka', lastName: 'Okafor' };
const open = async (headers: Record<string, string>, payload: object) =>
  server.call('POST', '/v2/partner/wallet', { headers, payload });

describe('200', () => {
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

describe('400', () => {
  it.each([
    ['neither kyc nor profileId', {}, 'kyc'],
    ['kyc without a first name', { kyc: { lastName: 'Okafor' } }, 'kyc.firstName'],
    ['an empty last name', { kyc: { firstName: 'Chidi', lastName: ' ' } }, 'kyc.lastName'],
    ['a number for a name', { kyc: { firstName: 1, lastName: 'Okafor' } }, 'kyc.firstName'],
    ['a name that is too long', { kyc: { firstName: 'x'.repeat(101), lastName: 'Okafor' } }, 'kyc.firstName'],
    ['a name of digits', { kyc: { firstName: '123', lastName: 'Okafor' } }, 'kyc.firstName'],
    ['a name that turns the text round', { kyc: { firstName: 'Ada', lastName: 'O\u202ebi' } }, 'kyc.lastName'],
    ['a name with markup', { kyc: { firstName: '<b>Ada', lastName: 'Obi' } }, 'kyc.firstName'],
    ['a profileId that is no integer', { profileId: 1.5 }, 'profileId'],
    ['a profileId that is text', { profileId: '7' }, 'profileId'],
    ['a profileId larger than every exact number', { profileId: 2 ** 53 }, 'profileId'],
    ['an empty kyc', { kyc: {} }, 'kyc'],
    ['a profileId of 0', { profileId: 0 }, 'kyc'],
    ['half of kyc beside a profileId', { kyc: { firstName: 'Chidi' }, profileId: 7 }, 'kyc.lastName'],
    ['metadata that is no object', { kyc, metadata: [1] }, 'metadata'],
    ['metadata that is too long', { kyc, metadata: { text: 'x'.repeat(4096) } }, 'metadata'],
    ['a currency we do not keep', { kyc, currency: 'USD' }, 'currency'],
  ])('%s names the field', async (_what, payload, field) => {
    const { headers } = await server.newPartner();
    const answer = await open(headers, payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errorCode).toBe('INVALID_PARAMETER');
    expect(answer.json().errors[0]).toMatch(new RegExp(`^${field}: `));
  });
});

describe('404', () => {
  it('a profile that is another partner’s, or nobody’s', async () => {
    const [one, two] = [await server.newPartner(), await server.newPartner()];
    await open(one.headers, { kyc, profileId: 41 });
    for (const profileId of [41, Number.MAX_SAFE_INTEGER]) {
      const answer = await open(two.headers, { profileId });
      expect(answer.statusCode).toBe(404);
      expect(answer.json().errorCode).toBe('PROFILE_NOT_FOUND');
    }
  });
});
