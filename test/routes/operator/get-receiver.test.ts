import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { hookedPartner } from '../../support/hooked.ts';

const server = useApp();
const get = (ownerId: string) => server.operate('GET', `/receivers/${ownerId}`);

it('200: where events go and how much waits, without a key', async () => {
  const partner = await hookedPartner(server, 2);
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

it('200: of an application that has no URL', async () => {
  const { applicationId } = await newApplication(server);
  expect((await get(applicationId)).json()).toMatchObject({ ownerKind: 'APPLICATION', status: 'ACTIVE', pending: 0 });
  expect((await get(applicationId)).json()).not.toHaveProperty('url');
});

it('404 RECEIVER_NOT_FOUND, 400 for what is no id', async () => {
  expect((await get('00000000-0000-7000-8000-000000000000')).json().errorCode).toBe('RECEIVER_NOT_FOUND');
  expect((await get('acme')).statusCode).toBe(400);
});
