import { type Headers, handles, mark, type Partner, type PartnerWallet, type Stage } from './cast.ts';

/** Money moves, and the partner's server is told, signed, again and again until it listens. */
export async function walletIsPaid({ guide, receiver }: Stage, acme: Partner, wallet: PartnerWallet): Promise<void> {
  guide.chapter('Ada is paid, and the partner’s server gets the signed webhooks');
  const { headers } = acme;
  const path = `/v2/partner/wallet/${wallet.Reference}`;
  const salary = { amount: 1500.5, reference: `salary-${mark}`, comment: 'Salary' };
  await guide.call('POST', `${path}/credit`, { headers, json: salary });
  const again = await guide.call<{ ClosingBalance: number }>('POST', `${path}/credit`, { headers, json: salary });
  guide.tick('the same reference again moves nothing', again.body.ClosingBalance === 1500.5);
  await guide.call('POST', `${path}/debit`, { headers, json: { amount: 500.25, reference: `rent-${mark}` } });
  await guide.call('POST', `${path}/debit`, { headers, json: { amount: 9999, reference: `car-${mark}` }, expect: 422 });

  await receiver.until(({ event }) => event === 'wallet.credited');
  await receiver.until(({ event }) => event === 'wallet.debited');
  const refused = receiver.received.find(({ answered }) => answered === 500);
  const retried = receiver.received.filter(({ body }) => refused?.body.equals(body));
  guide.tick('the webhook that was answered 500 came again, byte for byte', retried.length > 1);
}

/** A debit is given back in two parts, and never more than it was. */
export async function moneyIsGivenBack({ guide, receiver }: Stage, { headers }: Partner): Promise<void> {
  guide.chapter('The partner gives back what it took');
  const path = `/v2/partner/transaction/rent-${mark}`;
  const part = { amount: 100.25, reference: `rent-back-${mark}` };
  await guide.call('POST', `${path}/refund`, { headers, json: part });
  await guide.call('POST', `${path}/refund`, { headers, json: { reference: `rent-rest-${mark}` } });
  const more = { amount: 0.01, reference: `rent-more-${mark}` };
  await guide.call('POST', `${path}/refund`, { headers, json: more, expect: 422 });
  const original = await guide.call<{ Status: string }>('GET', path, { headers });
  guide.tick('in two parts, and not a kobo more', original.body.Status === 'Reversed');
  const { body } = await receiver.until((delivery) => delivery.body.includes(`rent-rest-${mark}`));
  guide.tick('the refund’s webhook names the original', body.includes(`"ExternalReference":"rent-${mark}"`));
}

/** From PayTag to PayTag. */
export async function customerPays({ guide }: Stage, customer: Headers): Promise<void> {
  guide.chapter('Ada pays Bola by PayTag');
  const headers = customer;
  const lunch = { paytag: handles.bola, amount: 250, reference: `lunch-${mark}`, comment: 'Lunch' };
  await guide.call('POST', '/v2/sso/transaction', { headers, json: lunch });
  const again = await guide.call<{ ClosingBalance: number }>('POST', '/v2/sso/transaction', { headers, json: lunch });
  guide.tick('sent twice, paid once', again.body.ClosingBalance === 1250.5);
  const limit = await guide.call<Record<'Limit' | 'Spent' | 'Remaining', number>>('GET', '/v2/sso/wallet/limit', {
    headers,
  });
  guide.tick('her daily limit counts it, and none of what the partner took', limit.body.Spent === 250);
  const payees = await guide.call('GET', '/v2/sso/beneficiary', { headers });
  guide.tick('Bola is among her beneficiaries', payees.text.includes(handles.bola));
  const removed = await guide.call<boolean>('DELETE', '/v2/sso/beneficiary', {
    headers,
    json: { paytag: handles.bola },
  });
  guide.tick('until she removes him', removed.body);
  await guide.call('GET', '/v2/sso/transaction?limit=1', { headers });
}
