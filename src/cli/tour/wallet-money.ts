import { type Headers, handles, type Partner, type PartnerWallet, runId, type TourContext } from './context.ts';

/** Credits and debits a wallet, and gets the signed webhooks, one of them at the second attempt. */
export async function creditAndDebit(
  { tour, receiver }: TourContext,
  acme: Partner,
  wallet: PartnerWallet,
): Promise<void> {
  tour.chapter('The partner credits and debits Ada’s wallet, and gets signed webhooks');
  const { headers } = acme;
  const path = `/v2/partner/wallet/${wallet.Reference}`;
  const salary = { amount: 1500.5, reference: `salary-${runId}`, comment: 'Salary' };
  await tour.call('POST', `${path}/credit`, { headers, json: salary });
  const again = await tour.call<{ ClosingBalance: number }>('POST', `${path}/credit`, { headers, json: salary });
  tour.check('the same reference again moves no money', again.body.ClosingBalance === 1500.5);
  await tour.call('POST', `${path}/debit`, { headers, json: { amount: 500.25, reference: `rent-${runId}` } });
  await tour.call('POST', `${path}/debit`, { headers, json: { amount: 9999, reference: `car-${runId}` }, expect: 422 });

  await receiver.until(({ event }) => event === 'wallet.credited');
  await receiver.until(({ event }) => event === 'wallet.debited');
  const refused = receiver.received.find(({ answered }) => answered === 500);
  const retried = receiver.received.filter(({ body }) => refused?.body.equals(body));
  tour.check('the webhook that was answered 500 is sent again, byte for byte', retried.length > 1);
}

/** Refunds a debit in two parts, and no more than its amount. */
export async function refundDebit({ tour, receiver }: TourContext, { headers }: Partner): Promise<void> {
  tour.chapter('The partner refunds a debit');
  const path = `/v2/partner/transaction/rent-${runId}`;
  const part = { amount: 100.25, reference: `rent-back-${runId}` };
  await tour.call('POST', `${path}/refund`, { headers, json: part });
  await tour.call('POST', `${path}/refund`, { headers, json: { reference: `rent-rest-${runId}` } });
  const more = { amount: 0.01, reference: `rent-more-${runId}` };
  await tour.call('POST', `${path}/refund`, { headers, json: more, expect: 422 });
  const original = await tour.call<{ Status: string }>('GET', path, { headers });
  tour.check('it is refunded in two parts, and not a kobo more', original.body.Status === 'Reversed');
  const { body } = await receiver.until((delivery) => delivery.body.includes(`rent-rest-${runId}`));
  tour.check(
    'the webhook of the refund names the original transaction',
    body.includes(`"ExternalReference":"rent-${runId}"`),
  );
}

/** Moves money from PayTag to PayTag. */
export async function payByPayTag({ tour }: TourContext, customer: Headers): Promise<void> {
  tour.chapter('Ada pays Bola by PayTag');
  const headers = customer;
  const lunch = { paytag: handles.bola, amount: 250, reference: `lunch-${runId}`, comment: 'Lunch' };
  await tour.call('POST', '/v2/sso/transaction', { headers, json: lunch });
  const again = await tour.call<{ ClosingBalance: number }>('POST', '/v2/sso/transaction', { headers, json: lunch });
  tour.check('a transfer that is sent twice is paid once', again.body.ClosingBalance === 1250.5);
  const limit = await tour.call<Record<'Limit' | 'Spent' | 'Remaining', number>>('GET', '/v2/sso/wallet/limit', {
    headers,
  });
  tour.check('the transfer counts towards Ada’s daily limit, the partner’s debit does not', limit.body.Spent === 250);
  const payees = await tour.call('GET', '/v2/sso/beneficiary', { headers });
  tour.check('Bola is among Ada’s beneficiaries', payees.text.includes(handles.bola));
  const removed = await tour.call<boolean>('DELETE', '/v2/sso/beneficiary', {
    headers,
    json: { paytag: handles.bola },
  });
  tour.check('until Ada removes Bola', removed.body);
  await tour.call('GET', '/v2/sso/transaction?limit=1', { headers });
}
