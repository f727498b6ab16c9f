import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { endAll, partnerWithEvents } from '../../support/deliveries.ts';

const server = useApp();

const post = (move: 'pause' | 'resume', { headers }: TestPartner, payload?: object) =>
  server.call('POST', `/v2/partner/webhook/${move}`, { headers, ...(payload && { payload }) });
const read = async ({ headers }: TestPartner) => (await server.call('GET', '/v2/partner/webhook', { headers })).json();

describe('POST /v2/partner/webhook/pause', () => {
  it('200: keeps this partner’s events and says why; nobody else’s are kept', async () => {
    const { partner } = await partnerWithEvents(server);
    await partnerWithEvents(server);
    const answer = await post('pause', partner, { reason: 'we move house' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      status: 'PAUSED',
      pausedBy: 'OWNER',
      pauseReason: 'we move house',
      pausedAt: expect.any(String),
      pending: 2,
    });
    expect(await read(partner)).toEqual(answer.json());
    expect(await endAll(server.resources.pool, null)).toBe(2);
    expect((await read(partner)).pending).toBe(2);
    expect((await auditOf(server, partner.id)).at(-1)).toMatchObject({
      actor: `partner:${partner.id}`,
      action: 'receiver.pause',
      reason: 'we move house',
    });
  });

  it('200: without a reason, also without a body', async () => {
    const partner = await server.newPartner();
    expect((await post('pause', partner)).json()).toMatchObject({ pauseReason: 'paused by its owner' });
  });

  it('400: a reason too long; 401: without credentials', async () => {
    expect((await post('pause', await server.newPartner(), { reason: 'x'.repeat(501) })).statusCode).toBe(400);
    expect((await server.call('POST', '/v2/partner/webhook/pause')).statusCode).toBe(401);
  });
});

describe('POST /v2/partner/webhook/resume', () => {
  it('200: sends what was kept', async () => {
    const { partner } = await partnerWithEvents(server);
    await post('pause', partner);
    const answer = await post('resume', partner);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ status: 'ACTIVE', pending: 2, oldestDueAt: expect.any(String) });
    expect(answer.json()).not.toHaveProperty('pauseReason');
    expect(await endAll(server.resources.pool, null)).toBe(2);
    expect((await auditOf(server, partner.id)).at(-1)).toMatchObject({ action: 'receiver.resume' });
  });

  it('401: without credentials', async () => {
    expect((await server.call('POST', '/v2/partner/webhook/resume')).statusCode).toBe(401);
  });

  it('409: what the operator paused, the operator resumes', async () => {
    const { partner } = await partnerWithEvents(server);
    await server.operate('POST', `/receivers/${partner.id}/pause`, { reason: 'a complaint' });
    const answer = await post('resume', partner);
    expect(answer.statusCode).toBe(409);
    expect(answer.json().errorCode).toBe('RECEIVER_PAUSED_BY_OPERATOR');
    expect(await read(partner)).toMatchObject({ status: 'PAUSED', pausedBy: 'OPERATOR', pauseReason: 'a complaint' });
  });
});
