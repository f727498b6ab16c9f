import { describe, expect, it } from 'vitest';
import { claimDeliveries } from '#modules/webhooks';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { partnerWithDeliveries } from '../../support/partner-with-deliveries.ts';
import { kycWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp();
const pause = (ownerId: string) => server.operate('POST', `/receivers/${ownerId}/pause`, { reason: 'broken' });
const resume = (ownerId: string, body?: object) => server.operate('POST', `/receivers/${ownerId}/resume`, body);

describe('200', () => {
  it('pending deliveries and those of events since then are due at once', async () => {
    const partner = await partnerWithDeliveries(server, 1);
    await pause(partner.id);
    const wallet = await kycWallet(server, partner);
    await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: 'meanwhile' });
    const answer = await resume(partner.id, { reason: 'mended' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ status: 'ACTIVE', pending: 2, oldestDueAt: expect.any(String) });
    for (const gone of ['pausedAt', 'pausedBy', 'pauseReason']) expect(answer.json()).not.toHaveProperty(gone);
    const request = { limit: 100, perReceiver: 100, inFlight: new Map(), leaseMs: 1 };
    expect((await claimDeliveries(server.resources.pool, request)).claimed).toHaveLength(2);
    expect((await auditOf(server, partner.id)).at(-1)).toEqual({
      actor: 'operator:root',
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
