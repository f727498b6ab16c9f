import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { brokenInvariants, eventsOf, leavesNothingBut } from '../../support/books.ts';
import { fundedWallet, loggedIn, pay } from '../../support/wallets.ts';

const server = useApp({ FEE_TRANSFER: '10' });
const refund = (original: string, body: object) =>
  server.operate('POST', `/transactions/${encodeURIComponent(original)}/refund`, { reason: 'complaint 3', ...body });

describe('200', () => {
  it('gives a transfer back to its sender, without the fee, and is audited', async () => {
    const [here, there] = [await server.newPartner({ float: 500 }), await server.newPartner()];
    const [ada, bola] = [await loggedIn(server, here, 500), await loggedIn(server, there)];
    const sent = await pay(server, ada, { paytag: bola.paytag, amount: 100, reference: 'wrong-person' });
    const { Reference } = sent.json<{ Reference: string }>();
    const answer = await refund(Reference, { partnerId: here.id, reference: `back-${here.id}` });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      Type: 'PARTNER_REFUND',
      Amount: 100,
      Status: 'Successful',
      ExternalReference: Reference,
      OpeningBalance: 390,
      ClosingBalance: 490,
    });
    expect((await eventsOf(server, bola.wallet)).at(-1)).toMatchObject({
      event: 'wallet.debited',
      data: { Amount: -100, Transaction: { Reference: `back-${here.id}`, ExternalReference: Reference } },
    });
    expect(await auditOf(server, Reference)).toEqual([
      {
        actor: 'operator:root',
        action: 'transaction.refund',
        before: null,
        after: { partnerId: here.id, amount: '10000', reference: `back-${here.id}`, status: 'Successful' },
        reason: 'complaint 3',
      },
    ]);
    const again = await refund(Reference, { partnerId: here.id, reference: `back-${here.id}` });
    expect(again.json()).toEqual(answer.json());
    expect(await auditOf(server, Reference)).toHaveLength(1);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('a reference that the partner has used itself is still the operator’s own', async () => {
    const { partner } = await fundedWallet(server, 100);
    const answer = await refund('opening', { partnerId: partner.id, reference: 'opening', amount: 40 });
    expect(answer.json()).toMatchObject({ Type: 'PARTNER_REFUND', Amount: 40, ClosingBalance: 60 });
  });
});

describe('422', () => {
  it('more than is left leaves nothing but the declined reference', async () => {
    const { partner } = await fundedWallet(server, 100);
    const body = { partnerId: partner.id, reference: `over-${partner.id}`, amount: 100.01 };
    const answer = await leavesNothingBut(server, 1, () => refund('opening', body));
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errorCode).toBe('REFUND_EXCEEDS');
  });
});
