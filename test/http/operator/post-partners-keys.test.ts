import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useSharedApp();
const add = (id: string, body?: object) => server.operate('POST', `/partners/${id}/keys`, body);

describe('201', () => {
  it('a second key works at once beside the first, is shown once, and is in no log', async () => {
    const partner = await server.newPartner();
    const answer = await add(partner.id, { reason: 'their yearly rotation' });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { id, apiKey, createdAt } = answer.json();
    expect(answer.json()).toEqual({ id, apiKey, createdAt });
    expect(apiKey).toMatch(/^sk_sandbox_[\w-]{43}$/);
    for (const key of [partner.apiKey, apiKey]) {
      const headers = { ...partner.headers, 'x-api-key': key };
      expect((await server.call('GET', '/v2/partner/float', { headers })).statusCode).toBe(200);
    }
    const shown = await server.operate('GET', `/partners/${partner.id}`);
    expect(shown.json().keys).toMatchObject([{}, { id, createdAt }]);
    expect((await auditOf(server, partner.id)).at(-1)).toEqual({
      actor: 'operator:root',
      action: 'partner.key.add',
      before: null,
      after: { key: id },
      reason: 'their yearly rotation',
    });
    for (const text of [shown.body, JSON.stringify(await auditOf(server, partner.id)), server.logged]) {
      expect(text).not.toContain(apiKey);
    }
  });

  it('without a body, and for no other partner', async () => {
    const [partner, other] = [await server.newPartner(), await server.newPartner()];
    const { apiKey } = (await add(partner.id)).json();
    const headers = { ...other.headers, 'x-api-key': apiKey };
    expect(refusalOf(await server.call('GET', '/v2/partner/float', { headers }))).toEqual([401, 'INVALID_CREDENTIALS']);
  });
});

describe('409', () => {
  it('two are active: exactly one of ten concurrent requests gets a key', async () => {
    const { id } = await server.newPartner();
    const all = await Promise.all(Array.from({ length: 10 }, () => add(id)));
    expect(all.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
    const refused = all.filter(({ statusCode }) => statusCode !== 201).map(refusalOf);
    expect(refused).toEqual(Array.from({ length: 9 }, () => [409, 'API_KEY_LIMIT']));
    expect((await server.operate('GET', `/partners/${id}`)).json().keys).toHaveLength(2);
  });
});
