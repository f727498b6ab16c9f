import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useApp, useSharedApp } from '../../support/app.ts';
import { newOperator } from '../../support/operators.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';
import { changeWallet, kycWallet } from '../../support/wallets.ts';

const server = useSharedApp();

describe('GET /audit', () => {
  const find = (query: Record<string, string>) =>
    server.operate('GET', `/audit?${new URLSearchParams(query).toString()}`);

  it('who changed what, when and why, from what to what; newest first', async () => {
    const wallet = await kycWallet(server, await server.newPartner());
    await changeWallet(server, wallet, { status: 'PND', reason: 'court order 12' });
    await changeWallet(server, wallet, { status: 'Enabled', reason: 'lifted' });
    const answer = await find({ target: wallet });
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

describe('GET /requests/{requestId}', () => {
  const kept = async (id: string) => (await server.operate('GET', `/requests/${id}`)).json();
  const found = async (q: string) => (await server.operate('POST', '/search', { q })).json().items;

  it('what an operator changed, by the id of the request, which the search finds and the audit log is filtered by', async () => {
    const { id: target } = await server.newPartner();
    const { token, id } = await newOperator(server, 'admin');
    const requestId = `change-${randomUUID()}`;
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': requestId };
    await server.call('POST', `/operator/v1/partners/${target}/suspend`, { headers, payload: { reason: 'a leak' } });
    const change = {
      action: 'partner.suspend',
      target,
      reason: 'a leak',
      requestId,
      actor: expect.stringContaining(id),
    };
    expect(await kept(requestId)).toMatchObject({ requestId, changes: [change], answers: [] });
    expect((await server.operate('GET', `/audit?requestId=${requestId}`)).json()).toMatchObject({
      items: [change],
      count: 1,
    });
    const where = `/requests/${requestId}`;
    expect(await found(requestId)).toEqual([
      { kind: 'REQUEST', id: requestId, title: `partner.suspend ${target}`, where },
    ]);
  });

  it('what a partner was answered under an Idempotency-Key, and no value of the path, no body and no secret', async () => {
    const partner = await server.newPartner({ float: 100 });
    const wallet = await kycWallet(server, partner);
    const requestId = randomUUID();
    const headers = { ...partner.headers, 'idempotency-key': randomUUID(), 'x-request-id': requestId };
    const payload = { amount: 5, reference: 'kept-1' };
    const path = `/v2/partner/wallet/${wallet}/credit`;
    await server.call('POST', path, { headers, payload });
    await server.call('POST', path, { headers: { ...headers, 'x-request-id': 'again' }, payload });
    const shown = await kept(requestId);
    expect(shown).toEqual({
      requestId,
      says: `the log has more, under requestId=${requestId}`,
      changes: [],
      answers: [
        {
          method: 'POST',
          path: '/v2/partner/wallet/:reference/credit',
          caller: `partner:${partner.id}`,
          at: expect.stringMatching(/^2.*Z$/),
          statusCode: 200,
        },
      ],
    });
    expect(await found(requestId)).toMatchObject([
      { kind: 'REQUEST', title: 'POST /v2/partner/wallet/:reference/credit 200' },
    ]);
    expect(await kept('again')).toMatchObject({ answers: [] });
    expect(JSON.stringify(shown)).not.toContain(wallet);
  });

  it('of what nothing is kept, it says where to look', async () => {
    const requestId = randomUUID();
    expect(await kept(requestId)).toEqual({
      requestId,
      says: `nothing is kept of it; look in the log for requestId=${requestId}`,
      changes: [],
      answers: [],
    });
    expect(await found(requestId)).toEqual([
      {
        kind: 'REQUEST',
        id: requestId,
        title: `looks like the id of a request: nothing is kept of it; look in the log for requestId=${requestId}`,
        where: `/requests/${requestId}`,
      },
    ]);
  });
});

describe('GET /settings', () => {
  interface Setting {
    name: string;
    value?: string;
    isSecret: boolean;
    source: string;
    unit?: string;
    purpose: string;
  }

  const file = join(mkdtempSync(join(tmpdir(), 'paytag-')), 'key');
  writeFileSync(file, 'vault-s3cret');
  const alone = useApp({
    WEBHOOK_TIMEOUT_MS: '2500',
    KMS_VAULT_TOKEN_FILE: file,
    EMAIL_SMTP_URL: 'smtps://mailer:planted-pw@mail.example:465?pool=planted-query',
  });

  it('every variable, its value, unit and purpose, and where it came from; nothing secret, to nobody', async () => {
    const viewer = await newOperator(alone, 'viewer');
    for (const who of [viewer, alone]) {
      const answer = await who.operate('GET', '/settings');
      const {
        settings,
        process: answering,
        schema,
      } = answer.json<{ settings: Setting[]; process: object; schema: object }>();
      const by = new Map(settings.map(({ name, ...rest }) => [name, rest]));
      expect(by.get('WEBHOOK_TIMEOUT_MS')).toMatchObject({
        value: '2500',
        source: 'ENVIRONMENT',
        unit: 'milliseconds',
      });
      expect(by.get('AUTH_CODE_TTL_S')).toMatchObject({ value: '120', source: 'DEFAULT', unit: 'seconds' });
      expect(by.get('RATE_LIMIT_FINDS_PER_H')).toMatchObject({ source: 'DEFAULT', unit: 'an hour' });
      const about = { subject: 'Stores and secrets', purpose: expect.any(String) };
      expect(by.get('REDIS_URL')).toEqual({ isSecret: false, source: 'UNSET', ...about });
      expect(by.get('EMAIL_SMTP_URL')?.value).toBe('smtps://mail.example:465');
      expect(by.get('KMS_VAULT_TOKEN')).toEqual({ isSecret: true, source: 'FILE', ...about });
      expect(by.get('OPERATOR_TOKEN')).toEqual({ isSecret: true, source: 'ENVIRONMENT', ...about });
      expect(by.get('DATABASE_URL')?.value).toMatch(/^postgres(ql)?:\/\/[^@]+$/);
      for (const secret of ['vault-s3cret', 'planted', 'mailer', OPERATOR_TOKEN])
        expect(answer.body).not.toContain(secret);
      expect(answering).toMatchObject({
        pid: process.pid,
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        node: process.versions.node,
        environment: 'sandbox',
        role: 'all',
        startedAt: expect.any(String),
      });
      expect(schema).toMatchObject({ applied: expect.any(Number), latest: expect.stringMatching(/^\d{4}_/) });
    }
  });
});
