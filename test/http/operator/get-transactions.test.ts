import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { newWallet, paymentsOf } from '../../support/payments.ts';
import { initiate, newSide } from '../../support/switch.ts';
import { fundedWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp({ FEE_PARTNER_GATEWAY: '1%' });
const find = (query: Record<string, string>) =>
  server.operate('GET', `/transactions?${new URLSearchParams(query).toString()}`);
const found = async (query: Record<string, string>) => {
  const answer = await find(query);
  expect(answer.statusCode).toBe(200);
  return answer.json<{ items: Record<string, unknown>[] }>().items;
};

describe('200', () => {
  it('what the operator moved to and from a float, with the balance that was answered', async () => {
    const { id: partnerId } = await server.newPartner({ float: 100 });
    const settled = await server.operate('POST', `/partners/${partnerId}/settlement`, { amount: 30, reference: 'out' });
    expect(await found({ partnerId, reference: 'out' })).toEqual([
      expect.objectContaining({
        Type: 'FLOAT_SETTLEMENT',
        Namer: 'OPERATOR',
        Status: 'Successful',
        Amount: 30,
        OpeningBalance: 100,
        ClosingBalance: settled.json<{ balance: number }>().balance,
      }),
    ]);
  });

  it('a declined one, with the reason', async () => {
    const { id: partnerId } = await server.newPartner();
    await server.operate('POST', `/partners/${partnerId}/settlement`, { amount: 1, reference: 'over' });
    expect(await found({ partnerId, reference: 'over' })).toMatchObject([
      { Status: 'Failed', FailureReason: 'INSUFFICIENT_FUNDS', Amount: 1 },
    ]);
  });

  it('what an application’s wallet was funded with, and how an offer of it was settled', async () => {
    const { applicationId } = await newApplication(server);
    await server.operate('POST', `/applications/${applicationId}/fund`, { amount: 5, reference: 'fund-1' });
    expect(await found({ applicationId, reference: 'fund-1' })).toMatchObject([
      { Type: 'APPLICATION_FUNDING', Amount: 5, ClosingBalance: 1_000_005 },
    ]);
    const acme = await newSide(server);
    const paid = await initiate(server, acme, { receiverTag: (await newSide(server)).tag, reference: 'o' });
    const { id } = paid.json<{ data: { id: string } }>().data;
    expect(await found({ applicationId: acme.applicationId, reference: `SWT-${id}` })).toEqual([]);
  });

  it('what rails reported, with all its charges: at a gateway for its partner, INBOUND for any', async () => {
    const partner = await server.newPartner();
    const payments = paymentsOf(server);
    const { nuban } = await newWallet(server, partner);
    const [gateway, inbound] = [
      await payments.gateway(partner, { reference: 'g-1', amount: 100 }),
      await payments.inbound(nuban, { reference: 'bank-77', amount: 900 }),
    ];
    expect(await found({ partnerId: partner.id, reference: 'g-1' })).toEqual([
      { ...gateway.json(), Namer: 'RAIL', PartnerID: partner.id },
    ]);
    expect(gateway.json()).toMatchObject({ Fee: 1, Net: 99 });
    const shown = [{ ...inbound.json(), Namer: 'RAIL', PartnerID: partner.id }];
    expect(await found({ reference: 'bank-77' })).toEqual(shown);
    expect(await found({ reference: 'bank-77', partnerId: partner.id })).toEqual(shown);
    expect(await found({ reference: inbound.json<{ Reference: string }>().Reference })).toEqual(shown);
    expect(await found({ reference: 'bank-77', partnerId: (await server.newPartner()).id })).toEqual([]);
  });

  it('all who used a reference, newest first and in pages, or those of one namer', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    const { id: partnerId } = partner;
    await moveMoney(server, partner, wallet, 'debit', { amount: 7, reference: 'same' });
    await server.operate('POST', `/partners/${partnerId}/float`, { amount: 8, reference: 'same' });
    await paymentsOf(server).gateway(partner, { amount: 9, reference: 'same' });
    const of = async (query: Record<string, string>) => (await find({ partnerId, reference: 'same', ...query })).json();
    expect(await of({})).toMatchObject({ items: [{ Amount: 9 }, { Amount: 8 }, { Amount: 7 }], count: 3 });
    expect(await of({ limit: '1', offset: '1' })).toMatchObject({ items: [{ Amount: 8 }], count: 3, limit: 1 });
    expect(await of({ namer: 'PARTNER' })).toMatchObject({ items: [{ Amount: 7, Namer: 'PARTNER' }], count: 1 });
  });
});
