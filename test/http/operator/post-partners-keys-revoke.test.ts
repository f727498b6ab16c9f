import { describe, expect, it } from 'vitest';
import { type TestPartner, useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';

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

describe('400', () => {
  it('no reason, and invalid ids', async () => {
    const partner = await server.newPartner();
    const key = await firstKey(partner);
    for (const answer of [
      await revoke(partner.id, key, {}),
      await revoke(partner.id, '7'),
      await revoke('acme', key),
    ]) {
      expect(refusalOf(answer)).toEqual([400, 'INVALID_PARAMETER']);
    }
    expect((await callWith(partner, partner.apiKey)).statusCode).toBe(200);
  });
});

describe('404', () => {
  it('an unknown partner, an unknown key, and another partner’s', async () => {
    const [partner, other] = [await server.newPartner(), await server.newPartner()];
    const theirs = await firstKey(other);
    expect(refusalOf(await revoke(NOBODY, theirs))).toEqual([404, 'PARTNER_NOT_FOUND']);
    for (const key of [NOBODY, theirs]) {
      expect(refusalOf(await revoke(partner.id, key))).toEqual([404, 'API_KEY_NOT_FOUND']);
    }
    expect((await callWith(other, other.apiKey)).statusCode).toBe(200);
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
