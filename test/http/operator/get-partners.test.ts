import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';

const server = useApp();
const find = (query = '') => server.operate('GET', `/partners${query}`);

describe('200', () => {
  it('finds partners, newest first, in pages, without their keys', async () => {
    const [first, second] = [await server.newPartner(), await server.newPartner()];
    const all = await find();
    expect(all.statusCode).toBe(200);
    expect(all.json()).toMatchObject({ limit: 20, offset: 0, items: [{ id: second.id }, { id: first.id }] });
    expect(all.json().items[0]).toEqual({
      id: second.id,
      name: expect.stringMatching(/^Partner \d+$/),
      clientId: second.clientId,
      redirectUrl: 'https://partner.example/callback?from=paytag',
      status: 'ACTIVE',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    for (const secret of [second.apiKey, second.webhookSecret]) expect(all.body).not.toContain(secret);
    const { count } = all.json();
    expect((await find('?limit=1&offset=1')).json()).toMatchObject({ count, limit: 1, items: [{ id: first.id }] });
    expect((await find('?limit=0')).json()).toEqual({ items: [], count, limit: 0, offset: 0 });
    expect((await find('?limit=101')).json().limit).toBe(100);
    expect((await find('?offset=1000')).json()).toMatchObject({ items: [], count });
  });

  it('finds by status', async () => {
    const { id } = await server.newPartner();
    await server.operate('POST', `/partners/${id}/suspend`, { reason: 'a complaint' });
    expect((await find('?status=SUSPENDED')).json()).toMatchObject({ count: 1, items: [{ id, status: 'SUSPENDED' }] });
    const active = (await find('?status=ACTIVE&limit=100')).json();
    expect(active.items.map((one: { id: string }) => one.id)).not.toContain(id);
  });
});
