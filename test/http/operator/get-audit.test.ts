import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { changeWallet, kycWallet } from '../../support/wallets.ts';

const server = useSharedApp();
const find = (query: Record<string, string>) =>
  server.operate('GET', `/audit?${new URLSearchParams(query).toString()}`);

describe('200', () => {
  it('who changed what, when and why, from what to what; newest first', async () => {
    const wallet = await kycWallet(server, await server.newPartner());
    await changeWallet(server, wallet, { status: 'PND', reason: 'court order 12' });
    await changeWallet(server, wallet, { status: 'Enabled', reason: 'lifted' });
    const answer = await find({ target: wallet });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ count: 2, limit: 20, offset: 0, items: [{ reason: 'lifted' }, {}] });
    expect(answer.json().items[1]).toEqual({
      id: expect.any(Number),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      actor: 'operator:root',
      action: 'wallet.change',
      target: wallet,
      before: { status: 'Enabled', dailyLimit: null, tier: 1 },
      after: { status: 'PND', dailyLimit: null, tier: 1 },
      reason: 'court order 12',
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    });
  });

  it('leaves out what an entry does not have', async () => {
    const { id } = await server.newPartner();
    const [created] = (await find({ target: id })).json().items;
    expect(Object.keys(created).toSorted()).toEqual(['action', 'actor', 'after', 'at', 'id', 'requestId', 'target']);
  });

  it('finds by who did it, by what was done, and by when, in pages', async () => {
    const partner = await server.newPartner();
    const payload = { url: 'http://127.0.0.1:9/hooks' };
    await server.call('PUT', '/v2/partner/webhook', { headers: partner.headers, payload });
    await server.operate('POST', `/partners/${partner.id}/suspend`, { reason: 'a complaint' });
    const countOf = async (query: Record<string, string>) =>
      (await find({ target: partner.id, ...query })).json<{ count: number }>().count;
    expect(await countOf({})).toBe(3);
    expect(await countOf({ actor: `partner:${partner.id}` })).toBe(1);
    expect(await countOf({ action: 'partner.suspend' })).toBe(1);
    expect(await countOf({ action: 'partner.restore' })).toBe(0);
    expect(await countOf({ from: '2026-01-01T00:00:00+01:00' })).toBe(3);
    expect(await countOf({ to: '2026-01-01T00:00:00Z' })).toBe(0);
    const page = (await find({ target: partner.id, limit: '1', offset: '1' })).json();
    expect(page).toMatchObject({ count: 3, limit: 1, offset: 1, items: [{ action: 'webhook.url' }] });
  });

  it('holds no secret of a partner, whatever was done to it', async () => {
    const partner = await server.newPartner();
    const rotated = (await server.operate('POST', `/partners/${partner.id}/webhook/secret/rotate`)).json();
    const added = (await server.operate('POST', `/partners/${partner.id}/keys`)).json();
    const { body } = await find({ target: partner.id });
    for (const secret of [...Object.values(partner.headers), rotated.webhookSecret, added.apiKey]) {
      expect(body).not.toContain(secret);
    }
  });
});
