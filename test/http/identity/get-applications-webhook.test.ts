import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { TARGET } from '../../support/deliveries.ts';
import { newSide, offer } from '../../support/switch.ts';

const server = useApp({ WEBHOOK_SOURCE_ADDRESSES: '203.0.113.7,2001:db8:7::/64' });
const see = (headers: Record<string, string> = {}) => server.call('GET', '/api/v1/applications/webhook', { headers });

describe('200', () => {
  it('shows where its events go, how many wait, and how old its secret is, not the secret', async () => {
    const [shop, cabs] = [await newSide(server, 'Shop'), await newSide(server, 'Cabs')];
    await offer(server, shop, cabs);
    const answer = await see(cabs.headers);
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const moment = expect.any(String);
    expect(answer.json().data).toEqual({
      status: 'ACTIVE',
      pending: 1,
      secret: { since: moment },
      sourceAddresses: ['203.0.113.7', '2001:db8:7::/64'],
      createdAt: moment,
      updatedAt: moment,
    });
    expect(answer.body).not.toContain(cabs.webhookSecret);
  });

  it('says the URL that it was registered with', async () => {
    const { headers } = await newApplication(server, 'Shop', { webhookUrl: TARGET });
    expect((await see(headers)).json().data).toMatchObject({ url: TARGET, pending: 0 });
  });
});
