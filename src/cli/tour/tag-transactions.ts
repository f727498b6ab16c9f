import { type Application, handles, runId, type TourContext } from './context.ts';

/** Money from tag to tag: it is held until the receiver accepts or rejects it. */
export async function offerMoney(
  { tour, receiver }: TourContext,
  { market, rides }: { market: Application; rides: Application },
): Promise<void> {
  tour.chapter('Market offers Rides money, which is held until Rides accepts');
  const funds = ({ calls }: Application) => calls.get('/v1/wallet');
  const offer = (receiverTag: string, amount: number, reference: string) =>
    market.calls.post('/v1/transactions', {
      body: { senderTag: handles.till, receiverTag, amount, currency: 'NGN', reference, narration: 'A ride' },
    });
  const accept = ({ calls }: Application, id: string) =>
    calls.post('/v1/transactions/{id}/accept', { params: { path: { id } } });
  const opening = (await funds(market)).totalAmount;

  const made = await offer(handles.taxi, 2500, `ride-${runId}`);
  tour.check('the offer is pending and the money is held', (await funds(market)).suspendedAmount === 2500);
  await receiver.until(({ to, event }) => to === 'Rides' && event === 'TRANSACTION_INITIATED');
  const query = { page: 0, size: 10, sort: ['amount,desc'] };
  const pending = await rides.calls.get('/v1/transactions/pending', { params: { query } });
  tour.check('Rides gets a webhook and finds the offer among the pending ones', pending.totalElements === 1);
  await tour.refused(403, accept(market, made.id));
  await accept(rides, made.id);
  await receiver.until(({ to, event }) => to === 'Market' && event === 'TRANSACTION_ACCEPTED');
  const settled = await funds(market);
  tour.check('once accepted, the money moves once, and Market gets a webhook', settled.totalAmount === opening - 2500);
  tour.check('nothing is held any more', settled.suspendedAmount === 0);

  const declined = await offer(handles.taxi, 100, `tip-${runId}`);
  await rides.calls.post('/v1/transactions/{id}/reject', {
    params: { path: { id: declined.id } },
    body: { rejectionReason: 'we take no tips' },
  });
  await receiver.until(({ to, event }) => to === 'Market' && event === 'TRANSACTION_REJECTED');
  tour.check('the money of a rejected offer comes back', (await funds(market)).totalAmount === opening - 2500);
  const paid = await offer(handles.ada, 40, `reward-${runId}`);
  tour.check('money to a PayTag needs no acceptance', paid.status === 'ACCEPTED');
  await receiver.until(({ to, body }) => to === 'acme' && body.includes(`"SWT-${paid.id}"`));
  tour.check('and Ada’s partner gets a webhook, as for any other credit', true);
}
