import { handles, type Partner, runId, type TourContext } from './context.ts';

/** Pays a split in instalments at a terminal, as a card processor would report them. */
export async function payAtTerminal({ tour, receiver, operator }: TourContext, acme: Partner): Promise<void> {
  tour.chapter('A fridge is paid in instalments at a terminal');
  const serialNumber = `SN-${runId}`;
  await tour.call('POST', '/operator/v1/terminals', {
    headers: operator,
    json: { partnerId: acme.id, serialNumber, merchant: 'Mama Put', paytag: handles.ada },
    expect: 201,
  });
  const headers = { 'x-terminal': serialNumber };
  const split = await acme.paytag.post('/partner/terminal/split', {
    params: { header: headers },
    body: { amount: 3000, title: 'Fridge' },
  });
  const pay = (amount: number, reference: string) =>
    tour.call<{ ID: number; Status: string }>('POST', '/operator/v1/transactions', {
      headers: operator,
      json: {
        type: 'PARTNER_TERMINAL',
        terminal: serialNumber,
        split: split.Reference,
        amount,
        reference: `${reference}-${runId}`,
        sender: { name: 'Chidi Okafor', type: 'CARD' },
      },
    });
  const read = () =>
    acme.paytag.get('/partner/terminal/split/{split}', {
      params: { header: headers, path: { split: split.Reference } },
    });

  await pay(1000, 'card-1');
  tour.check('after the first instalment the rest remains', (await read()).Remaining === 2000);
  const { body: tooMuch } = await pay(2000.01, 'card-2');
  const left = await read();
  tour.check('more than the rest waits in suspense', tooMuch.Status === 'Pending' && left.Remaining === 2000);
  const { body: returned } = await tour.call<{ Status: string }>(
    'POST',
    `/operator/v1/suspense/${tooMuch.ID}/resolve`,
    { headers: operator, json: { to: 'return', reference: `card-2-back-${runId}`, reason: 'more than the rest' } },
  );
  tour.check('the operator returns it to the card', returned.Status === 'Reversed');
  await pay(2000, 'card-3');
  tour.check('the last instalment completes the payment', (await read()).Status === 'Paid');
  await acme.paytag.get('/partner/terminal/splits', {
    params: { header: headers, query: { limit: 10, offset: 0 } },
  });
  const webhook = await receiver.until(({ reference }) => reference === `card-3-${runId}`);
  tour.check('the partner gets the webhook transaction.status', webhook.event === 'transaction.status');
}
