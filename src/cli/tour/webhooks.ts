import { mark, type Partner, type Stage } from './cast.ts';

interface Deliveries {
  items: { id: string; event: string; status: string; attempts: number }[];
  count: number;
}

/** The partner looks after its webhooks itself. */
export async function webhooksAreLookedAfter({ guide, receiver }: Stage, { headers }: Partner): Promise<void> {
  guide.chapter('The partner looks after its webhooks itself');
  await guide.call('GET', '/v2/partner/webhook', { headers });
  const test = await guide.call<{ reference: string }>('POST', '/v2/partner/webhook/test', { headers });
  await receiver.until(({ reference }) => reference === test.body.reference);
  guide.tick('a test event arrives as every event does', true);

  const path = '/v2/partner/webhook/deliveries';
  const { body: listed } = await guide.call<Deliveries>('GET', `${path}?event=wallet.credited&limit=100`, { headers });
  const retried = listed.items.find(({ attempts }) => attempts === 2);
  guide.tick('the one that was refused at first took two attempts', retried?.status === 'DELIVERED');
  await guide.call('GET', `${path}/${retried?.id}`, { headers });
  const isSalary = ({ body }: { body: Buffer }) => body.includes(`"salary-${mark}"`);
  const before = receiver.received.filter(isSalary).length;
  await guide.call('POST', `${path}/${retried?.id}/resend`, { headers });
  await receiver.until((delivery) => isSalary(delivery) && receiver.received.filter(isSalary).length > before);
  guide.tick('resent on request, it comes once more', true);
}
