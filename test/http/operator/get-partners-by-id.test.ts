import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';

const server = useSharedApp();
const get = (id: string) => server.operate('GET', `/partners/${id}`);

describe('200', () => {
  it('where its customers and events are sent, and that it has a key, without any', async () => {
    const webhookUrl = 'http://127.0.0.1:9/hooks';
    const partner = await server.newPartner({ webhookUrl, float: 1000.5 });
    const answer = await get(partner.id);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      id: partner.id,
      name: expect.stringMatching(/^Partner \d+$/),
      clientId: partner.clientId,
      redirectUrl: 'https://partner.example/callback?from=paytag',
      webhookUrl,
      status: 'ACTIVE',
      keys: [{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), createdAt: expect.any(String) }],
      floats: [
        { currency: 'NGN', balance: 1000.5 },
        { currency: 'FP', balance: 0 },
      ],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    for (const secret of [partner.apiKey, partner.webhookSecret]) expect(answer.body).not.toContain(secret);
    expect((await get(partner.id.toUpperCase())).json()).toEqual(answer.json());
  });

  it('leaves out a webhook URL that it does not have', async () => {
    const { id } = await server.newPartner();
    expect((await get(id)).json()).not.toHaveProperty('webhookUrl');
  });
});
