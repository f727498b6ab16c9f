import { describe, expect, it } from 'vitest';
import { claimDue } from '#modules/outbox';
import { pauseReceiver, resumeReceiver } from '#modules/webhooks';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { hookedPartner } from '../../support/hooked.ts';
import { kycWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp();
const pause = (ownerId: string) => server.operate('POST', `/receivers/${ownerId}/pause`, { reason: 'broken' });
const resume = (ownerId: string, body?: object) => server.operate('POST', `/receivers/${ownerId}/resume`, body);

describe('200', () => {
  it('what was pending and what was told meanwhile is due at once', async () => {
    const partner = await hookedPartner(server, 1);
    await pause(partner.id);
    const wallet = await kycWallet(server, partner);
    await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: 'meanwhile' });
    const answer = await resume(partner.id, { reason: 'mended' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ status: 'ACTIVE', pending: 2, oldestDueAt: expect.any(String) });
    for (const gone of ['pausedAt', 'pausedBy', 'pauseReason']) expect(answer.json()).not.toHaveProperty(gone);
    const request = { limit: 100, perReceiver: 100, busy: new Map(), leaseMs: 1 };
    expect((await claimDue(server.resources.pool, request)).claims).toHaveLength(2);
    expect((await auditOf(server, partner.id)).at(-1)).toEqual({
      actor: 'operator',
      action: 'receiver.resume',
      before: { status: 'PAUSED', reason: 'broken' },
      after: { status: 'ACTIVE' },
      reason: 'mended',
    });
  });

  it('without a body, and without an effect on one that is not paused', async () => {
    const { id } = await server.newPartner();
    const audited = await auditOf(server, id);
    expect((await resume(id)).statusCode).toBe(200);
    expect(await auditOf(server, id)).toEqual(audited);
  });
});

it('404 RECEIVER_NOT_FOUND', async () => {
  const answer = await resume('00000000-0000-7000-8000-000000000000');
  expect(answer.json().errorCode).toBe('RECEIVER_NOT_FOUND');
  expect(answer.statusCode).toBe(404);
});

describe('an owner', () => {
  const owner = (ownerId: string) => ({ actor: 'partner', by: 'OWNER', ownerId }) as const;

  it('ends its own pause', async () => {
    const { id } = await server.newPartner();
    await pauseReceiver(server.resources, { ...owner(id), reason: 'ours' });
    expect(await resumeReceiver(server.resources, owner(id))).toMatchObject({ status: 'ACTIVE', pausedBy: null });
  });

  it('does not end what an operator began, nor take its place', async () => {
    const { id } = await server.newPartner();
    await pauseReceiver(server.resources, { ...owner(id), reason: 'ours' });
    await pause(id);
    expect(await pauseReceiver(server.resources, { ...owner(id), reason: 'ours again' })).toMatchObject({
      pausedBy: 'OPERATOR',
      pauseReason: 'broken',
    });
    await expect(resumeReceiver(server.resources, owner(id))).rejects.toMatchObject({
      code: 'RECEIVER_PAUSED_BY_OPERATOR',
    });
  });
});
