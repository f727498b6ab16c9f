import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { partnerWithDeliveries } from '../../support/partner-with-deliveries.ts';

const server = useSharedApp();
const get = (ownerId: string) => server.operate('GET', `/receivers/${ownerId}`);

describe('200', () => {
  it('where events go and how much waits, without a key', async () => {
    const partner = await partnerWithDeliveries(server, 2);
    const answer = await get(partner.id);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      ownerId: partner.id,
      ownerKind: 'PARTNER',
      url: 'http://127.0.0.1:9/hooks',
      status: 'ACTIVE',
      pending: 2,
      oldestDueAt: expect.any(String),
    });
    for (const secret of [partner.clientId, partner.webhookSecret]) expect(answer.body).not.toContain(secret);
  });

  it('of an application that has no URL', async () => {
    const { applicationId } = await newApplication(server);
    expect((await get(applicationId)).json()).toMatchObject({ ownerKind: 'APPLICATION', status: 'ACTIVE', pending: 0 });
    expect((await get(applicationId)).json()).not.toHaveProperty('url');
  });
});
