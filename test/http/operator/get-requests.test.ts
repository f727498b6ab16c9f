import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newOperator } from '../../support/operators.ts';
import { kycWallet } from '../../support/wallets.ts';

const server = useSharedApp();
const kept = async (id: string) => (await server.operate('GET', `/requests/${id}`)).json();
const found = async (q: string) => (await server.operate('POST', '/search', { q })).json().items;

describe('200', () => {
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
