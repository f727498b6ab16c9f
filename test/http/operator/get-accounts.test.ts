import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newWallet, paymentsOf } from '../../support/payments.ts';
import { newTerminal } from '../../support/terminals.ts';

const server = useApp({ FEE_PARTNER_GATEWAY: '1%' });
const { gateway, atTerminal, inbound } = paymentsOf(server);

describe('200', () => {
  it('shows each rail’s clearing by itself, and the charges, before they are added up too', async () => {
    const partner = await server.newPartner();
    await gateway(partner, { amount: 100 });
    await atTerminal(await newTerminal(server, partner), { amount: 20 });
    await inbound((await newWallet(server, partner)).nuban, { amount: 3 });
    const { items } = (await server.operate('GET', '/accounts')).json();
    expect(items).toEqual(
      expect.arrayContaining([
        { account: 'CLEARING_GATEWAY', currency: 'NGN', balance: -100 },
        { account: 'CLEARING_TERMINAL', currency: 'NGN', balance: -20 },
        { account: 'CLEARING_INBOUND', currency: 'NGN', balance: -3 },
        { account: 'FEE', currency: 'NGN', balance: 1 },
        { account: 'SUSPENSE', currency: 'FP', balance: 0 },
      ]),
    );
    expect(items).toHaveLength(22);
  });
});
