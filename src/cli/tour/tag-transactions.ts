import { type Application, type Enveloped, handles, runId, type TourContext } from './context.ts';

interface Offer {
  id: string;
  status: string;
}
interface Funds {
  totalAmount: number;
  suspendedAmount: number;
  availableAmount: number;
}

/** Money from tag to tag: it is held until the receiver accepts or rejects it. */
export async function offerMoney(
  { tour, receiver }: TourContext,
  { market, rides }: { market: Application; rides: Application },
): Promise<void> {
  tour.chapter('Market offers Rides money, which is held until Rides accepts');
  const funds = async ({ headers }: Application) =>
    (await tour.call<Enveloped<Funds>>('GET', '/api/v1/wallet', { headers })).body.data;
  const offer = async (receiverTag: string, amount: number, reference: string) => {
    const json = { senderTag: handles.till, receiverTag, amount, currency: 'NGN', reference, narration: 'A ride' };
    const path = '/api/v1/transactions';
    return (await tour.call<Enveloped<Offer>>('POST', path, { headers: market.headers, json, expect: 201 })).body.data;
  };
  const opening = (await funds(market)).totalAmount;

  const made = await offer(handles.taxi, 2500, `ride-${runId}`);
  tour.check('the offer is pending and the money is held', (await funds(market)).suspendedAmount === 2500);
  await receiver.until(({ to, event }) => to === 'Rides' && event === 'TRANSACTION_INITIATED');
  const pending = await tour.call<Enveloped<{ totalElements: number }>>(
    'GET',
    '/api/v1/transactions/pending?page=0&size=10&sort=amount,desc',
    { headers: rides.headers },
  );
  tour.check('Rides gets a webhook and finds the offer among the pending ones', pending.body.data.totalElements === 1);
  await tour.call('POST', `/api/v1/transactions/${made.id}/accept`, { headers: market.headers, expect: 403 });
  await tour.call('POST', `/api/v1/transactions/${made.id}/accept`, { headers: rides.headers });
  await receiver.until(({ to, event }) => to === 'Market' && event === 'TRANSACTION_ACCEPTED');
  const settled = await funds(market);
  tour.check('once accepted, the money moves once, and Market gets a webhook', settled.totalAmount === opening - 2500);
  tour.check('nothing is held any more', settled.suspendedAmount === 0);

  const declined = await offer(handles.taxi, 100, `tip-${runId}`);
  const reason = { rejectionReason: 'we take no tips' };
  await tour.call('POST', `/api/v1/transactions/${declined.id}/reject`, { headers: rides.headers, json: reason });
  await receiver.until(({ to, event }) => to === 'Market' && event === 'TRANSACTION_REJECTED');
  tour.check('the money of a rejected offer comes back', (await funds(market)).totalAmount === opening - 2500);
  const paid = await offer(handles.ada, 40, `reward-${runId}`);
  tour.check('money to a PayTag needs no acceptance', paid.status === 'ACCEPTED');
  await receiver.until(({ to, body }) => to === 'acme' && body.includes(`"SWT-${paid.id}"`));
  tour.check('and Ada’s partner gets a webhook, as for any other credit', true);
}
