import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { askForToken, newApplication } from '../../support/application.ts';
import { DAY_MS } from '../../support/claims.ts';
import { auditOf, byRoot } from '../../support/operators.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp({ WEBHOOK_SECRET_OVERLAP_H: '6' });

const HOUR_MS = 3_600_000;
const SECRET = /^whsec_[\w+/]{43}=$/;

describe('POST /partners/{id}/keys', () => {
  const add = (id: string, body?: object) => server.operate('POST', `/partners/${id}/keys`, body);

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
    expect((await auditOf(server, partner.id)).at(-1)).toEqual(
      byRoot('partner.key.add', { after: { key: id }, reason: 'their yearly rotation' }),
    );
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

  it('409: two are active: exactly one of ten concurrent requests gets a key', async () => {
    const { id } = await server.newPartner();
    const all = await Promise.all(Array.from({ length: 10 }, () => add(id)));
    expect(all.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
    const refused = all.filter(({ statusCode }) => statusCode !== 201).map(refusalOf);
    expect(refused).toEqual(Array.from({ length: 9 }, () => [409, 'API_KEY_LIMIT']));
    expect((await server.operate('GET', `/partners/${id}`)).json().keys).toHaveLength(2);
  });
});

describe('POST /partners/{id}/keys/{keyId}/revoke', () => {
  const revoke = (id: string, key: string, body: object = { reason: 'it leaked' }) =>
    server.operate('POST', `/partners/${id}/keys/${key}/revoke`, body);
  const firstKey = async ({ id }: TestPartner): Promise<string> =>
    (await server.operate('GET', `/partners/${id}`)).json().keys[0].id;
  const callWith = (partner: TestPartner, key: string) =>
    server.call('GET', '/v2/partner/float', { headers: { ...partner.headers, 'x-api-key': key } });

  it('ends one key with the next call, leaves the other, and makes room for a third', async () => {
    const partner = await server.newPartner();
    const { apiKey } = (await server.operate('POST', `/partners/${partner.id}/keys`)).json();
    const key = await firstKey(partner);
    const answer = await revoke(partner.id, key);
    expect(answer.json()).toEqual({ id: key, createdAt: expect.any(String), revokedAt: expect.any(String) });
    expect(refusalOf(await callWith(partner, partner.apiKey))).toEqual([401, 'INVALID_CREDENTIALS']);
    expect((await callWith(partner, apiKey)).statusCode).toBe(200);
    expect((await auditOf(server, partner.id)).at(-1)).toEqual(
      byRoot('partner.key.revoke', { before: { key }, reason: 'it leaked' }),
    );
    expect((await server.operate('POST', `/partners/${partner.id}/keys`)).statusCode).toBe(201);
  });

  it('also the last one', async () => {
    const partner = await server.newPartner();
    expect((await revoke(partner.id, await firstKey(partner))).statusCode).toBe(200);
    expect((await callWith(partner, partner.apiKey)).statusCode).toBe(401);
  });

  it('409: one that is revoked: exactly one of ten concurrent requests revokes it', async () => {
    const partner = await server.newPartner();
    const key = await firstKey(partner);
    const all = await Promise.all(Array.from({ length: 10 }, () => revoke(partner.id, key)));
    const refused = all.filter(({ statusCode }) => statusCode !== 200).map(refusalOf);
    expect(refused).toEqual(Array.from({ length: 9 }, () => [409, 'API_KEY_REVOKED']));
  });
});

describe.each([
  { of: 'partners', newOwner: async () => server.newPartner() },
  {
    of: 'applications',
    newOwner: async () => {
      const { applicationId, webhookSecret } = await newApplication(server);
      return { id: applicationId, webhookSecret };
    },
  },
])('POST /$of/{id}/webhook/secret/rotate', ({ of, newOwner }) => {
  const urlOf = (id: string) => `/${of}/${id}/webhook/secret/rotate`;
  const rotate = (id: string, body?: object) => server.operate('POST', urlOf(id), body);

  it('a new secret, how long the old one signs too, and an audit entry without either', async () => {
    const { id, webhookSecret } = await newOwner();
    const answer = await rotate(id);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const given = answer.json();
    expect(given.webhookSecret).toMatch(SECRET);
    expect(given.webhookSecret).not.toBe(webhookSecret);
    const overlapMs = Date.parse(given.previousUntil) - server.clock.now().getTime();
    expect(Math.round(overlapMs / HOUR_MS)).toBe(6);
    const audited = await auditOf(server, id);
    expect(audited.at(-1)).toMatchObject({
      actor: 'operator:root',
      action: 'webhook.secret.rotate',
      after: { previousUntil: given.previousUntil },
    });
    expect(JSON.stringify(audited)).not.toContain('whsec_');
    expect(server.logged).not.toContain('whsec_');
  });

  it('at once, also while two secrets sign', async () => {
    const { id } = await newOwner();
    const first = (await rotate(id, {})).json();
    const second = await rotate(id, { immediately: true });
    expect(second.json()).toEqual({ webhookSecret: expect.stringMatching(SECRET) });
    expect(second.json().webhookSecret).not.toBe(first.webhookSecret);
  });

  it('the same secret again under the same Idempotency-Key, though both were sent at once', async () => {
    const { id } = await newOwner();
    const url = `/operator/v1${urlOf(id)}`;
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'idempotency-key': `rotate-${id}` };
    const pair = await Promise.all([server.call('POST', url, { headers }), server.call('POST', url, { headers })]);
    const again = await server.call('POST', url, { headers });
    expect(again.headers['idempotency-replayed']).toBe('true');
    const secrets = pair.flatMap((one) => (one.statusCode === 200 ? [one.json().webhookSecret] : []));
    expect(new Set([...secrets, again.json().webhookSecret]).size).toBe(1);
    const rotations = (await auditOf(server, id)).filter(({ action }) => action === 'webhook.secret.rotate');
    expect(rotations).toHaveLength(1);
  });

  it('409: two secrets sign already; after the overlap it is possible again', async () => {
    const { id } = await newOwner();
    await rotate(id);
    expect(refusalOf(await rotate(id))).toEqual([409, 'SECRET_OVERLAP_RUNNING']);
    server.clock.advance(6 * HOUR_MS + 1000);
    expect((await rotate(id)).statusCode).toBe(200);
  });
});

describe('POST /applications/{id}/secret/rotate', () => {
  const rotate = (id: string, body?: object) => server.operate('POST', `/applications/${id}/secret/rotate`, body);

  it('the new secret works at once, the old one for a day, and neither is in a log', async () => {
    const application = await newApplication(server);
    const answer = await rotate(application.applicationId);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { client_secret, client_id, previousUntil } = answer.json();
    expect(answer.json()).toEqual({ client_id, client_secret, previousUntil });
    expect(client_id).toBe(application.client_id);
    expect(Date.parse(previousUntil) - server.clock.now().getTime()).toBeGreaterThan(DAY_MS - 60_000);
    for (const secret of [client_secret, application.client_secret]) {
      expect((await askForToken(server, application, secret)).statusCode).toBe(200);
    }
    server.clock.advance(DAY_MS);
    expect((await askForToken(server, application, client_secret)).statusCode).toBe(200);
    expect((await askForToken(server, application)).statusCode).toBe(401);
    const audited = await auditOf(server, application.applicationId);
    expect(audited.at(-1)).toMatchObject({
      actor: 'operator:root',
      action: 'application.secret.rotate',
      after: { previousUntil },
    });
    for (const secret of [client_secret, application.client_secret]) {
      expect(JSON.stringify(audited)).not.toContain(secret);
      expect(server.logged).not.toContain(secret);
    }
  });

  it('immediately, the old one and the one before it stop at once', async () => {
    const application = await newApplication(server);
    const second = (await rotate(application.applicationId, {})).json().client_secret;
    const answer = await rotate(application.applicationId, { immediately: true });
    expect(answer.json()).not.toHaveProperty('previousUntil');
    for (const secret of [application.client_secret, second]) {
      expect((await askForToken(server, application, secret)).statusCode).toBe(401);
    }
    expect((await askForToken(server, application, answer.json().client_secret)).statusCode).toBe(200);
  });

  it('409: while the secret before is taken too; after that it is possible again', async () => {
    const { applicationId } = await newApplication(server);
    await rotate(applicationId);
    expect(refusalOf(await rotate(applicationId))).toEqual([409, 'SECRET_OVERLAP_RUNNING']);
    server.clock.advance(DAY_MS);
    expect((await rotate(applicationId)).statusCode).toBe(200);
  });

  it('409: of five at once exactly one rotates, and its secret is the one that works', async () => {
    const application = await newApplication(server);
    const all = await Promise.all(Array.from({ length: 5 }, () => rotate(application.applicationId)));
    const [done, ...others] = all.toSorted((a, b) => a.statusCode - b.statusCode);
    expect(others.map(refusalOf)).toEqual(Array.from({ length: 4 }, () => [409, 'SECRET_OVERLAP_RUNNING']));
    expect((await askForToken(server, application, done?.json().client_secret)).statusCode).toBe(200);
  });
});
