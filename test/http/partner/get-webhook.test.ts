import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { seeWebhook, TARGET } from '../../support/deliveries.ts';

const server = useApp({ WEBHOOK_SOURCE_ADDRESSES: '203.0.113.7,2001:db8:7::/64' });

describe('200', () => {
  it('where events go, from which addresses they come and how old the secret is, never the secret', async () => {
    const partner = await server.newPartner({ webhookUrl: TARGET });
    const answer = await seeWebhook(server, partner);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { createdAt } = answer.json();
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(answer.json()).toEqual({
      url: TARGET,
      status: 'ACTIVE',
      pending: 0,
      secret: { since: createdAt },
      sourceAddresses: ['203.0.113.7', '2001:db8:7::/64'],
      createdAt: at,
      updatedAt: at,
    });
    expect(answer.body).not.toContain('whsec_');
  });

  it('no url while there is none, whatever others have', async () => {
    const partner = await server.newPartner();
    await server.newPartner({ webhookUrl: TARGET });
    const answer = await seeWebhook(server, partner);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).not.toHaveProperty('url');
  });
});
