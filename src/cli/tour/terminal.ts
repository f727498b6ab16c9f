import { handles, mark, type Partner, type Stage } from './cast.ts';

interface Split {
  Reference: string;
  Remaining: number;
  Status: string;
}

/** A payment in instalments at a terminal, as the rails report them. */
export async function terminalIsPaid({ guide, receiver, operator }: Stage, acme: Partner): Promise<void> {
  guide.chapter('A fridge is paid at a terminal, in instalments');
  const serialNumber = `SN-${mark}`;
  await guide.call('POST', '/operator/v1/terminals', {
    headers: operator,
    json: { partnerId: acme.id, serialNumber, merchant: 'Mama Put', paytag: handles.ada },
    expect: 201,
  });
  const headers = { ...acme.headers, 'x-terminal': serialNumber };
  const { body: split } = await guide.call<Split>('POST', '/v2/partner/terminal/split', {
    headers,
    json: { amount: 3000, title: 'Fridge' },
  });
  const pay = (amount: number, reference: string, expect = 200) =>
    guide.call('POST', '/operator/v1/transactions', {
      headers: operator,
      json: {
        type: 'PARTNER_TERMINAL',
        terminal: serialNumber,
        split: split.Reference,
        amount,
        reference: `${reference}-${mark}`,
        sender: { name: 'Chidi Okafor', type: 'CARD' },
      },
      expect,
    });
  const read = async () =>
    (await guide.call<Split>('GET', `/v2/partner/terminal/split/${split.Reference}`, { headers })).body;

  await pay(1000, 'card-1');
  guide.tick('a part is paid, the rest is pending', (await read()).Remaining === 2000);
  await pay(2000.01, 'card-2', 422);
  await pay(2000, 'card-3');
  guide.tick('nobody pays more than is left, and then it is paid', (await read()).Status === 'Paid');
  await guide.call('GET', '/v2/partner/terminal/splits?limit=10&offset=0', { headers });
  const told = await receiver.until(({ reference }) => reference === `card-3-${mark}`);
  guide.tick('the partner is told of it as transaction.status', told.event === 'transaction.status');
}
