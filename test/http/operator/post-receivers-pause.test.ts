import { describe, expect, it } from 'vitest';
import { claimDeliveries } from '#modules/webhooks';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { partnerWithDeliveries } from '../../support/partner-with-deliveries.ts';
import { kycWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp();
const pause = (ownerId: string, body: object = { reason: 'their move of servers' }) =>
  server.operate('POST', `/receivers/${ownerId}/pause`, body);
const claimsOf = async () => {
  const { claimed } = await claimDeliveries(server.resources.pool, {
    limit: 100,
    perReceiver: 100,
    inFlight: new Map(),
    leaseMs: 1,
  });
  return claimed.length;
};

describe('200', () => {
  it('nothing more is sent, and new events are kept with the pending ones', async () => {
    const partner = await partnerWithDeliveries(server, 2);
    const answer = await pause(partner.id);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      ownerId: partner.id,
      ownerKind: 'PARTNER',
      url: 'http://127.0.0.1:9/hooks',
      status: 'PAUSED',
      pausedAt: expect.any(String),
      pausedBy: 'OPERATOR',
      pauseReason: 'their move of servers',
      pending: 2,
    });
    expect(answer.json()).not.toHaveProperty('oldestDueAt');
    const wallet = await kycWallet(server, partner);
    await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: 'meanwhile' });
    expect((await server.operate('GET', `/receivers/${partner.id}`)).json().pending).toBe(3);
    expect(await claimsOf()).toBe(0);
  });

  it('is audited with its reason, once: pausing a paused one changes nothing', async () => {
    const partner = await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
    const first = await pause(partner.id);
    const again = await pause(partner.id, { reason: 'another' });
    expect(again.statusCode).toBe(200);
    expect(again.json()).toEqual(first.json());
    const audited = (await auditOf(server, partner.id)).filter(({ action }) => action === 'receiver.pause');
    expect(audited).toEqual([
      {
        actor: 'operator:root',
        action: 'receiver.pause',
        before: { status: 'ACTIVE' },
        after: { status: 'PAUSED' },
        reason: 'their move of servers',
      },
    ]);
  });
});
