import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { paymentsOf } from '../../support/payments.ts';
import { refusalOf } from '../../support/refusals.ts';
import { loggedIn } from '../../support/wallets.ts';

const server = useSharedApp();
const { gateway } = paymentsOf(server);
const suspend = (id: string, body: object = { reason: 'a complaint' }) =>
  server.operate('POST', `/partners/${id}/suspend`, body);

describe('200', () => {
  it('refuses its next call and its customers’, at no other partner, and is audited with its reason', async () => {
    const [partner, other] = [await server.newPartner(), await server.newPartner()];
    const ada = await loggedIn(server, partner);
    const answer = await suspend(partner.id);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id: partner.id, status: 'SUSPENDED', keys: [expect.any(Object)] });
    const float = (headers: Record<string, string>) => server.call('GET', '/v2/partner/float', { headers });
    expect(refusalOf(await float(partner.headers))).toEqual([403, 'PARTNER_SUSPENDED']);
    const wallet = await server.call('GET', '/v2/sso/wallet', { headers: ada.headers });
    expect(refusalOf(wallet)).toEqual([403, 'PARTNER_SUSPENDED']);
    expect((await float(other.headers)).statusCode).toBe(200);
    expect((await auditOf(server, partner.id)).at(-1)).toEqual({
      actor: 'operator:root',
      action: 'partner.suspend',
      before: { status: 'ACTIVE' },
      after: { status: 'SUSPENDED' },
      reason: 'a complaint',
    });
  });

  it('what rails report for it is booked all the same', async () => {
    const partner = await server.newPartner();
    await suspend(partner.id);
    expect((await gateway(partner, { amount: 10 })).statusCode).toBe(200);
  });
});

describe('409', () => {
  it('one that is suspended: exactly one of ten concurrent requests suspends it', async () => {
    const { id } = await server.newPartner();
    const all = await Promise.all(Array.from({ length: 10 }, () => suspend(id)));
    const refused = all.filter(({ statusCode }) => statusCode !== 200).map(refusalOf);
    expect(refused).toEqual(Array.from({ length: 9 }, () => [409, 'PARTNER_STATUS_CONFLICT']));
    const entries = await auditOf(server, id);
    expect(entries.filter(({ action }) => action === 'partner.suspend')).toHaveLength(1);
  });
});
