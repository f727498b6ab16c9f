import { type Partner, runId, type TourContext } from './context.ts';

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
