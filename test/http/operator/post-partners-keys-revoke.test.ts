import { describe, expect, it } from 'vitest';
import { type TestPartner, useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useSharedApp();
const revoke = (id: string, key: string, body: object = { reason: 'it leaked' }) =>
  server.operate('POST', `/partners/${id}/keys/${key}/revoke`, body);
const firstKey = async ({ id }: TestPartner): Promise<string> =>
  (await server.operate('GET', `/partners/${id}`)).json().keys[0].id;
const callWith = (partner: TestPartner, key: string) =>
  server.call('GET', '/v2/partner/float', { headers: { ...partner.headers, 'x-api-key': key } });

describe('200', () => {
  it('ends one key with the next call, leaves the other, and makes room for a third', async () => {
    const partner = await server.newPartner();
    const { apiKey } = (await server.operate('POST', `/partners/${partner.id}/keys`)).json();
    const key = await firstKey(partner);
    const answer = await revoke(partner.id, key);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ id: key, createdAt: expect.any(String), revokedAt: expect.any(String) });
    expect(refusalOf(await callWith(partner, partner.apiKey))).toEqual([401, 'INVALID_CREDENTIALS']);
    expect((await callWith(partner, apiKey)).statusCode).toBe(200);
    expect((await auditOf(server, partner.id)).at(-1)).toEqual({
      actor: 'operator:root',
      action: 'partner.key.revoke',
      before: { key },
      after: null,
      reason: 'it leaked',
    });
    expect((await server.operate('POST', `/partners/${partner.id}/keys`)).statusCode).toBe(201);
  });

  it('also the last one', async () => {
    const partner = await server.newPartner();
    expect((await revoke(partner.id, await firstKey(partner))).statusCode).toBe(200);
    expect((await callWith(partner, partner.apiKey)).statusCode).toBe(401);
  });
});

describe('409', () => {
  it('one that is revoked: exactly one of ten concurrent requests revokes it', async () => {
    const partner = await server.newPartner();
    const key = await firstKey(partner);
    const all = await Promise.all(Array.from({ length: 10 }, () => revoke(partner.id, key)));
    const refused = all.filter(({ statusCode }) => statusCode !== 200).map(refusalOf);
    expect(refused).toEqual(Array.from({ length: 9 }, () => [409, 'API_KEY_REVOKED']));
  });
});
