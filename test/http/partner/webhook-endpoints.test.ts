import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { callEndpoints, endAll, newEndpoint, seeDeliveries, TARGET } from '../../support/deliveries.ts';
import { auditOf } from '../../support/operators.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';
import { kycWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp();

describe('an endpoint', () => {
  it('is shown with all that was chosen, but its secret once and its headers by name alone', async () => {
    const partner = await server.newPartner({ webhookUrl: TARGET });
    const chosen = {
      url: TARGET,
      description: 'Books',
      events: ['wallet.credited'],
      headers: { Authorization: 'Bearer s3cr3t', 'x-env': 'test' },
      rate: 5,
      ordered: true,
    };
    const created = await callEndpoints(server, partner, 'POST', '', chosen);
    expect(created.statusCode).toBe(201);
    const { webhookSecret, ...shown } = created.json();
    expect(webhookSecret).toMatch(/^whsec_/);
    expect(shown).toMatchObject({
      isDefault: false,
      url: TARGET,
      description: 'Books',
      events: ['wallet.credited'],
      headerNames: ['authorization', 'x-env'],
      rate: 5,
      ordered: true,
      status: 'ACTIVE',
      pending: 0,
    });
    const listed = await callEndpoints(server, partner, 'GET');
    expect(listed.json()).toMatchObject({ count: 2, items: [{ isDefault: true, events: [] }, shown] });
    expect((await callEndpoints(server, partner, 'GET', `/${shown.id}`)).json()).toEqual(shown);
    const { rows } = await server.resources.pool.query('select * from outbox.receiver');
    const audited = await auditOf(server, partner.id);
    expect(JSON.stringify([listed.json(), rows.map(String), audited])).not.toContain('s3cr3t');
    expect(rows.some(({ headers_sealed: sealed }) => sealed?.includes('s3cr3t'))).toBe(false);
    expect(audited.map(({ action }) => action)).toContain('endpoint.create');
    const operators = (await server.operate('GET', `/receivers/${partner.id}`)).json();
    expect(operators.endpoints).toEqual(listed.json().items);
  });

  it('is changed by what is named, the default one too, and null takes away', async () => {
    const partner = await server.newPartner({ webhookUrl: TARGET });
    const id = await newEndpoint(server, partner, { rate: 5, headers: { 'x-a': 'b' }, description: 'Books' });
    const changed = await callEndpoints(server, partner, 'PATCH', `/${id}`, {
      rate: null,
      headers: null,
      ordered: true,
    });
    expect(changed.json()).toMatchObject({ id, headerNames: [], ordered: true, description: 'Books' });
    expect(changed.json()).not.toHaveProperty('rate');
    const [byDefault] = (await callEndpoints(server, partner, 'GET')).json().items;
    const narrowed = await callEndpoints(server, partner, 'PATCH', `/${byDefault.id}`, { events: ['wallet.debited'] });
    expect(narrowed.json()).toMatchObject({ isDefault: true, url: TARGET, events: ['wallet.debited'] });
  });

  it('is refused with a reserved header, a private target, an unknown event or an impossible rate', async () => {
    const partner = await server.newPartner();
    const reserved = ['Content-Type', 'host', 'R-Signature', 'webhook-id', 'User-Agent', 'traceparent', 'Connection'];
    for (const chosen of [
      ...reserved.map((name) => ({ headers: { [name]: 'x' } })),
      { headers: { 'x-a': 'line\r\nbreak: 1' } },
      { headers: { 'x a': 'b' } },
      { headers: { 'x-a': 'b', 'X-A': 'c' } },
      { headers: { 'x-a': 5 } },
      { headers: { 'x-a': 'b'.repeat(2049) } },
      { headers: Object.fromEntries(Array.from({ length: 21 }, (_, number) => [`x-${number}`, 'a'])) },
      { events: ['wallet.moved'] },
      { rate: 0 },
      { rate: 1001 },
      { url: 'http://10.0.0.1/hooks' },
    ]) {
      const answer = await callEndpoints(server, partner, 'POST', '', { url: TARGET, ...chosen });
      expect([chosen, answer.statusCode]).toEqual([chosen, 400]);
    }
    expect((await callEndpoints(server, partner, 'GET')).json().count).toBe(1);
  });

  it('is refused naming each header by the name that it was given, and not by its number', async () => {
    const headers = { 'X-Fine': 'a', 'X-Foo': 7, 'X Bar': 'b', Host: 'c', ['n'.repeat(70)]: 'd' };
    const { message, errors } = (
      await callEndpoints(server, await server.newPartner(), 'POST', '', { url: TARGET, headers })
    ).json();
    expect(message).toBe('headers.X-Foo: must be text');
    expect(errors).toEqual([
      message,
      'headers.X Bar: must be the name of a header',
      'headers.Host: is a header of ours, or of HTTP itself',
      `headers.${'n'.repeat(64)}…: must have at most 64 characters`,
    ]);
  });

  it('is one of ten beside the default one: of eleven made at once exactly ten', async () => {
    const partner = await server.newPartner();
    const answers = await Promise.all(
      Array.from({ length: 11 }, () => callEndpoints(server, partner, 'POST', '', { url: TARGET })),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      ...Array(10).fill(201),
      409,
    ]);
    expect(answers.map((answer) => answer.json().errorCode).filter(Boolean)).toEqual(['ENDPOINT_LIMIT']);
    const { items } = (await callEndpoints(server, partner, 'GET')).json();
    expect(items).toHaveLength(11);
    expect((await callEndpoints(server, partner, 'DELETE', `/${items[3].id}`)).statusCode).toBe(204);
    await newEndpoint(server, partner);
  });

  it('of another partner is not there', async () => {
    const partner = await server.newPartner();
    const id = await newEndpoint(server, partner);
    const other = await server.newPartner({ webhookUrl: TARGET });
    const asked = [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/test'],
      ['POST', '/secret/rotate'],
    ] as const;
    for (const [method, path] of asked) {
      for (const named of [id, NOBODY]) {
        const payload = method === 'PATCH' ? { rate: 1 } : undefined;
        const answer = await callEndpoints(server, other, method, `/${named}${path}`, payload);
        expect([path, ...refusalOf(answer)]).toEqual([path, 404, 'ENDPOINT_NOT_FOUND']);
      }
    }
    expect((await callEndpoints(server, partner, 'GET', `/${id}`)).json()).toMatchObject({ id, status: 'ACTIVE' });
    expect((await seeDeliveries(server, other, `?endpointId=${id}`)).json().count).toBe(0);
  });
});

describe('deliveries', () => {
  it('go to each endpoint that wants the event, and tell and are found by which; a resend goes to the same', async () => {
    const partner = await server.newPartner({ float: 100, webhookUrl: TARGET });
    const credits = await newEndpoint(server, partner, { events: ['wallet.credited'] });
    const all = await newEndpoint(server, partner);
    const wallet = await kycWallet(server, partner);
    await moveMoney(server, partner, wallet, 'credit', { amount: 5, reference: 'in' });
    await moveMoney(server, partner, wallet, 'debit', { amount: 5, reference: 'out' });
    const [{ id: byDefault }] = (await callEndpoints(server, partner, 'GET')).json().items;
    const seen = (await seeDeliveries(server, partner)).json();
    const told = seen.items.map((item: { event: string; endpointId: string }) => `${item.event} ${item.endpointId}`);
    expect(seen.count).toBe(5);
    expect(new Set(told)).toEqual(
      new Set([
        ...[byDefault, credits, all].map((id) => `wallet.credited ${id}`),
        ...[byDefault, all].map((id) => `wallet.debited ${id}`),
      ]),
    );
    expect(new Set(seen.items.map(({ ownerId }: { ownerId: string }) => ownerId))).toEqual(new Set([partner.id]));
    const [only, ...others] = (await seeDeliveries(server, partner, `?endpointId=${credits}`)).json().items;
    expect(others).toEqual([]);
    await endAll(server.resources.pool, 'status 500');
    const resent = await server.call('POST', `/v2/partner/webhook/deliveries/${only.id}/resend`, {
      headers: partner.headers,
    });
    expect(resent.json()).toMatchObject({ endpointId: credits, eventId: only.eventId, status: 'PENDING' });
    const replay = (endpointId: string) =>
      server.call('POST', '/v2/partner/webhook/replay', { headers: partner.headers, payload: { endpointId } });
    expect((await replay(credits)).json()).toMatchObject({ matched: 0 });
    expect((await replay(all)).json()).toMatchObject({ matched: 2, replayed: 2 });
    const test = await callEndpoints(server, partner, 'POST', `/${credits}/test`);
    expect(test.json()).toMatchObject({ event: 'webhook.test', endpointId: credits });
    expect((await seeDeliveries(server, partner, '?event=webhook.test')).json().count).toBe(1);
    expect((await server.operate('GET', `/deliveries?endpointId=${all}`)).json().count).toBe(4);
  });

  it('of one that is paused wait, and the others’ do not', async () => {
    const partner = await server.newPartner({ float: 100, webhookUrl: TARGET });
    const paused = await newEndpoint(server, partner);
    const other = await newEndpoint(server, partner);
    expect((await callEndpoints(server, partner, 'POST', `/${paused}/pause`)).json()).toMatchObject({
      status: 'PAUSED',
      pausedBy: 'OWNER',
    });
    const wallet = await kycWallet(server, partner);
    await moveMoney(server, partner, wallet, 'credit', { amount: 5, reference: 'in' });
    await endAll(server.resources.pool, null);
    const statuses = async () => {
      const { items } = (await seeDeliveries(server, partner)).json();
      const statusOf = (id: string) => items.find((item: { endpointId: string }) => item.endpointId === id).status;
      return [statusOf(paused), statusOf(other)];
    };
    expect(await statuses()).toEqual(['PENDING', 'DELIVERED']);
    await callEndpoints(server, partner, 'POST', `/${paused}/resume`);
    await endAll(server.resources.pool, null);
    expect(await statuses()).toEqual(['DELIVERED', 'DELIVERED']);
    await server.operate('POST', `/receivers/${partner.id}/pause`, { reason: 'why', endpointId: other });
    const { items } = (await callEndpoints(server, partner, 'GET')).json();
    expect(items.map(({ status }: { status: string }) => status)).toEqual(['ACTIVE', 'ACTIVE', 'PAUSED']);
  });

  it('of one that was deleted stay as the record; what waited has failed, and is sent no more', async () => {
    const partner = await server.newPartner({ float: 100, webhookUrl: TARGET });
    const id = await newEndpoint(server, partner);
    const wallet = await kycWallet(server, partner);
    await moveMoney(server, partner, wallet, 'credit', { amount: 5, reference: 'in' });
    expect((await callEndpoints(server, partner, 'DELETE', `/${id}`)).statusCode).toBe(204);
    expect(refusalOf(await callEndpoints(server, partner, 'GET', `/${id}`))).toEqual([404, 'ENDPOINT_NOT_FOUND']);
    const [gone, ...others] = (await seeDeliveries(server, partner, `?endpointId=${id}`)).json().items;
    expect(gone).toMatchObject({ status: 'FAILED', attempts: 0, lastError: 'endpoint deleted', endpointId: id });
    expect(others).toEqual([]);
    const resent = await server.call('POST', `/v2/partner/webhook/deliveries/${gone.id}/resend`, {
      headers: partner.headers,
    });
    expect(refusalOf(resent)).toEqual([404, 'ENDPOINT_NOT_FOUND']);
    await moveMoney(server, partner, wallet, 'credit', { amount: 5, reference: 'later' });
    expect((await seeDeliveries(server, partner)).json().count).toBe(3);
    const [byDefault] = (await callEndpoints(server, partner, 'GET')).json().items;
    expect(refusalOf(await callEndpoints(server, partner, 'DELETE', `/${byDefault.id}`))).toEqual([
      409,
      'ENDPOINT_IS_DEFAULT',
    ]);
    const { ok } = (await server.operate('GET', '/ledger/check')).json();
    expect(ok).toBe(true);
  });
});
