import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { paymentsOf } from '../../support/payments.ts';
import { earn } from '../../support/suspense.ts';

const server = useApp();

describe('200', () => {
  it('lists what was remitted of which account, newest first, and nothing that was refused; as a file too', async () => {
    await earn(server, 1_000n);
    await paymentsOf(server).gateway(await server.newPartner(), { amount: 100 });
    const remit = (body: object) => server.operate('POST', '/remittances', { reason: 'March', ...body });
    await remit({ account: 'FEE', amount: 7.5, reference: 'fees' });
    await remit({ account: 'STAMP_DUTY', amount: 9, reference: 'too-much' });
    await remit({ account: 'CLEARING_GATEWAY', amount: 60, reference: 'gateway' });
    const { items, count } = (await server.operate('GET', '/remittances')).json();
    const common = { currency: 'NGN', reason: 'March', createdAt: expect.any(String) };
    expect([count, items]).toEqual([
      2,
      [
        { ...common, account: 'CLEARING_GATEWAY', amount: 60, reference: 'gateway' },
        { ...common, account: 'FEE', amount: 7.5, reference: 'fees' },
      ],
    ]);
    const [page] = [(await server.operate('GET', '/remittances?limit=1')).json()];
    const next = (await server.operate('GET', `/remittances?limit=1&cursor=${page.nextCursor}`)).json();
    expect(next.items.map(({ reference }: { reference: string }) => reference)).toEqual(['fees']);
    const file = (await server.operate('GET', '/remittances?format=csv')).body.split('\r\n');
    expect(file.slice(0, 2)).toEqual([
      '\ufeffaccount,amount,currency,reference,reason,createdAt',
      expect.stringMatching(/^CLEARING_GATEWAY,60,NGN,gateway,March,/),
    ]);
  });
});
