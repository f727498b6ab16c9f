import { type Application, handles, mark, type Stage } from './cast.ts';

interface Enveloped<Data> {
  data: Data;
}
interface Offer {
  id: string;
  status: string;
}
interface Funds {
  totalAmount: number;
  suspendedAmount: number;
  availableAmount: number;
}

/** Money from tag to tag: held, told, accepted. */
export async function offerIsAccepted(
  { guide, receiver }: Stage,
  { market, rides }: { market: Application; rides: Application },
): Promise<void> {
  guide.chapter('Market offers Rides money, which waits until it is accepted');
  const funds = async ({ headers }: Application) =>
    (await guide.call<Enveloped<Funds>>('GET', '/api/v1/wallet', { headers })).body.data;
  const offer = async (receiverTag: string, amount: number, reference: string) => {
    const json = { senderTag: handles.till, receiverTag, amount, currency: 'NGN', reference, narration: 'A ride' };
    const path = '/api/v1/transactions';
    return (await guide.call<Enveloped<Offer>>('POST', path, { headers: market.headers, json, expect: 201 })).body.data;
  };
  const opening = (await funds(market)).totalAmount;

  const made = await offer(handles.taxi, 2500, `ride-${mark}`);
  guide.tick('it waits, with the money held', (await funds(market)).suspendedAmount === 2500);
  await receiver.until(({ to, event }) => to === 'Rides' && event === 'TRANSACTION_INITIATED');
  const pending = await guide.call<Enveloped<{ totalElements: number }>>(
    'GET',
    '/api/v1/transactions/pending?page=0&size=10&sort=amount,desc',
    { headers: rides.headers },
  );
  guide.tick('Rides was told, and finds it pending', pending.body.data.totalElements === 1);
  await guide.call('POST', `/api/v1/transactions/${made.id}/accept`, { headers: market.headers, expect: 403 });
  await guide.call('POST', `/api/v1/transactions/${made.id}/accept`, { headers: rides.headers });
  await receiver.until(({ to, event }) => to === 'Market' && event === 'TRANSACTION_ACCEPTED');
  const settled = await funds(market);
  guide.tick('accepted, it moves once, and Market is told', settled.totalAmount === opening - 2500);
  guide.tick('and nothing is held any more', settled.suspendedAmount === 0);

  const declined = await offer(handles.taxi, 100, `tip-${mark}`);
  const reason = { rejectionReason: 'we take no tips' };
  await guide.call('POST', `/api/v1/transactions/${declined.id}/reject`, { headers: rides.headers, json: reason });
  await receiver.until(({ to, event }) => to === 'Market' && event === 'TRANSACTION_REJECTED');
  guide.tick('what is rejected comes back', (await funds(market)).totalAmount === opening - 2500);
  const paid = await offer(handles.ada, 40, `reward-${mark}`);
  guide.tick('a PayTag is paid at once', paid.status === 'ACCEPTED');
  await receiver.until(({ to, body }) => to === 'acme' && body.includes(`"reward-${mark}"`));
  guide.tick('and her partner is told as of any money she gets', true);
}
