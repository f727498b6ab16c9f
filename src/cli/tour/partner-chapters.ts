import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PartnerSchemas, PayTagCustomer } from 'paytag/client';
import { ada, asPartner, handles, type Partner, runId, type TourContext } from './tools.ts';

const run = promisify(execFile);
const PAYTAG = fileURLToPath(new URL('../paytag.js', import.meta.url));

/** The operator creates two partners, one by the API and one by the command line. */
export async function createPartners({
  tour,
  receiver,
  operator,
}: TourContext): Promise<{ acme: Partner; bolt: Partner }> {
  tour.chapter('The operator creates partners and funds a float');
  const { body: acme } = await tour.call<Omit<Partner, 'paytag'>>('POST', '/operator/v1/partners', {
    headers: operator,
    json: {
      name: 'Acme Pay',
      redirectUrl: 'https://acme.example/callback?shop=1',
      webhookUrl: receiver.urlOf('acme'),
    },
    expect: 201,
  });
  await tour.call('POST', `/operator/v1/partners/${acme.id}/float`, {
    headers: operator,
    json: { amount: 100_000, reference: `float-${runId}` },
  });
  const args = ['partners', 'create', '--name', 'Bolt Pay', '--redirect-url', 'https://bolt.example/callback'];
  const { stdout } = await run(process.execPath, [PAYTAG, ...args, '--profile', 'local', '--json']);
  const bolt = JSON.parse(stdout) as Omit<Partner, 'paytag'>;
  tour.check('the command line creates a partner with the same operation', bolt.clientId.startsWith('pc_'));
  return { acme: asPartner(tour, acme), bolt: asPartner(tour, bolt) };
}

/** One partner creates a customer, another one gets a wallet for the same customer, and a wallet without PayTag is opened. */
export async function createCustomer(
  { tour }: TourContext,
  acme: Partner,
  bolt: Partner,
): Promise<PartnerSchemas['PartnerWallet']> {
  tour.chapter('Partners get a PayTag and wallets for their customers');
  const wallet = await acme.paytag.post('/partner/paytag', {
    body: { ...ada, phone: '0803 123 4567', email: 'ada@example.com', tag: `@${handles.ada}` },
  });
  tour.check(
    `Ada has the PayTag ${handles.ada} and account number ${wallet.Wallet.Nuban}`,
    wallet.PayTag?.Tag === handles.ada,
  );
  const linked = await bolt.paytag.post('/partner/paytag/bvn/{bvn}', { params: { path: { bvn: ada.bvn } } });
  tour.check('a second partner has its own wallet for Ada', linked.Reference !== wallet.Reference);
  const params = { path: { reference: wallet.Reference } };
  await tour.refused(404, bolt.paytag.get('/partner/wallet/{reference}', { params }));
  tour.check('and cannot see the wallet at the first partner', true);
  const kyc = { firstName: 'Chidi', lastName: 'Okafor' };
  await acme.paytag.post('/partner/wallet', { body: { kyc } });
  return wallet;
}

/** Credits and debits a wallet, and gets the signed webhooks, one of them at the second attempt. */
export async function creditAndDebit(
  { tour, receiver }: TourContext,
  { paytag }: Partner,
  wallet: PartnerSchemas['PartnerWallet'],
): Promise<void> {
  tour.chapter('The partner credits and debits Ada’s wallet, and gets signed webhooks');
  const params = { path: { reference: wallet.Reference } };
  const credit = (body: { amount: number; reference: string; comment: string }) =>
    paytag.post('/partner/wallet/{reference}/credit', { params, body });
  const debit = (amount: number, reference: string) =>
    paytag.post('/partner/wallet/{reference}/debit', { params, body: { amount, reference } });
  const salary = { amount: 1500.5, reference: `salary-${runId}`, comment: 'Salary' };
  await credit(salary);
  tour.check('the same reference again moves no money', (await credit(salary)).ClosingBalance === 1500.5);
  await debit(500.25, `rent-${runId}`);
  await tour.refused(422, debit(9999, `car-${runId}`));

  await receiver.until(({ event }) => event === 'wallet.credited');
  await receiver.until(({ event }) => event === 'wallet.debited');
  const refused = receiver.received.find(({ answered }) => answered === 500);
  const retried = receiver.received.filter(({ body }) => refused?.body.equals(body));
  tour.check('the webhook that was answered 500 is sent again, byte for byte', retried.length > 1);
}

/** Refunds a debit in two parts, and no more than its amount. */
export async function refundDebit({ tour, receiver }: TourContext, { paytag }: Partner): Promise<void> {
  tour.chapter('The partner refunds a debit');
  const params = { path: { reference: `rent-${runId}` } };
  const refund = (body: { amount?: number; reference: string }) =>
    paytag.post('/partner/transaction/{reference}/refund', { params, body });
  await refund({ amount: 100.25, reference: `rent-back-${runId}` });
  await refund({ reference: `rent-rest-${runId}` });
  await tour.refused(422, refund({ amount: 0.01, reference: `rent-more-${runId}` }));
  const original = await paytag.get('/partner/transaction/{reference}', { params });
  tour.check('it is refunded in two parts, and not a kobo more', original.Status === 'Reversed');
  const { body } = await receiver.until((delivery) => delivery.body.includes(`rent-rest-${runId}`));
  tour.check(
    'the webhook of the refund names the original transaction',
    body.includes(`"ExternalReference":"rent-${runId}"`),
  );
}

/** Moves money from PayTag to PayTag. */
export async function payByPayTag({ tour }: TourContext, customer: PayTagCustomer): Promise<void> {
  tour.chapter('Ada pays Bola by PayTag');
  const lunch = { paytag: handles.bola, amount: 250, reference: `lunch-${runId}`, comment: 'Lunch' };
  await customer.post('/sso/transaction', { body: lunch });
  const again = await customer.post('/sso/transaction', { body: lunch });
  tour.check('a transfer that is sent twice is paid once', again.ClosingBalance === 1250.5);
  const { Spent } = await customer.get('/sso/wallet/limit');
  tour.check('the transfer counts towards Ada’s daily limit, the partner’s debit does not', Spent === 250);
  const payees = await customer.get('/sso/beneficiary');
  tour.check('Bola is among Ada’s beneficiaries', JSON.stringify(payees).includes(handles.bola));
  const isRemoved = await customer.delete('/sso/beneficiary', { body: { paytag: handles.bola } });
  tour.check('until Ada removes Bola', isRemoved);
  await customer.get('/sso/transaction', { params: { query: { limit: 1 } } });
}

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

/** A partner tests its webhook, reads its deliveries and has one sent again. */
export async function manageWebhooks({ tour, receiver }: TourContext, { paytag }: Partner): Promise<void> {
  tour.chapter('The partner manages its own webhooks');
  await paytag.get('/partner/webhook');
  const test = await paytag.post('/partner/webhook/test');
  await receiver.until(({ reference }) => reference === test.reference);
  tour.check('a test event arrives', true);

  const query = { event: 'wallet.credited', limit: 100 };
  const { items } = await paytag.get('/partner/webhook/deliveries', { params: { query } });
  const retried = items.find(({ attempts }) => attempts === 2);
  tour.check('the webhook that was refused at first is on record with two attempts', retried?.status === 'DELIVERED');
  const params = { path: { id: retried?.id ?? '' } };
  await paytag.get('/partner/webhook/deliveries/{id}', { params });
  const isSalary = ({ body }: { body: Buffer }) => body.includes(`"salary-${runId}"`);
  const before = receiver.received.filter(isSalary).length;
  await paytag.post('/partner/webhook/deliveries/{id}/resend', { params });
  await receiver.until((delivery) => isSalary(delivery) && receiver.received.filter(isSalary).length > before);
  tour.check('on request it is sent once more', true);
}
