import { type Partner, runId, type TourContext } from './context.ts';

interface Deliveries {
  items: { id: string; event: string; status: string; attempts: number }[];
  count: number;
}

/** A partner tests its webhook, reads its deliveries and has one sent again. */
export async function manageWebhooks({ tour, receiver }: TourContext, { headers }: Partner): Promise<void> {
  tour.chapter('The partner manages its own webhooks');
  await tour.call('GET', '/v2/partner/webhook', { headers });
  const test = await tour.call<{ reference: string }>('POST', '/v2/partner/webhook/test', { headers });
  await receiver.until(({ reference }) => reference === test.body.reference);
  tour.check('a test event arrives', true);

  const path = '/v2/partner/webhook/deliveries';
  const { body: listed } = await tour.call<Deliveries>('GET', `${path}?event=wallet.credited&limit=100`, { headers });
  const retried = listed.items.find(({ attempts }) => attempts === 2);
  tour.check('the webhook that was refused at first is on record with two attempts', retried?.status === 'DELIVERED');
  await tour.call('GET', `${path}/${retried?.id}`, { headers });
  const isSalary = ({ body }: { body: Buffer }) => body.includes(`"salary-${runId}"`);
  const before = receiver.received.filter(isSalary).length;
  await tour.call('POST', `${path}/${retried?.id}/resend`, { headers });
  await receiver.until((delivery) => isSalary(delivery) && receiver.received.filter(isSalary).length > before);
  tour.check('on request it is sent once more', true);
}
