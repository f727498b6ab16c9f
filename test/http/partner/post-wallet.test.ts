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
