import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { createPayTag, newPerson } from '../../support/onboarding.ts';
import { kycWallet } from '../../support/wallets.ts';

const server = useSharedApp();
const list = (headers: Record<string, string>, query = '') =>
  server.call('GET', `/v2/partner/wallet${query}`, { headers });
const references = (answer: Awaited<ReturnType<typeof list>>): string[] =>
  answer.json<{ items: { Reference: string }[] }>().items.map(({ Reference }) => Reference);

describe('200', () => {
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
