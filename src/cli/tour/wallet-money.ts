import type { PartnerSchemas, PayTagCustomer } from 'paytag/client';
import { handles, type Partner, runId, type TourContext } from './context.ts';

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
