import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { sha256 } from '#lib/crypto/digest.ts';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { useApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { newDatabaseFolder } from '../support/memory.ts';
import { refusalOf } from '../support/refusals.ts';
import { everythingStored } from '../support/stored.ts';

const server = useApp();

it('V14.2.4: whoever reads the whole database finds no client id, which keys R-Signature', async () => {
  const dataDir = await newDatabaseFolder('paytag-demo-');
  const demo = await loadDemo({ ...server.resources, dataDir });
  await rm(dataDir, { recursive: true });
  const partner = await server.newPartner({ float: 10, webhookUrl: 'http://127.0.0.1:9/hooks' });
  const application = await newApplication(server, 'Umeh Stores', { webhookUrl: 'http://127.0.0.1:9/hooks' });
  const change = { name: 'Another', reason: 'renamed' };
  expect((await server.operate('PATCH', `/partners/${partner.id}`, change)).statusCode).toBe(200);
  const rotated = await server.operate('POST', `/applications/${application.applicationId}/secret/rotate`, {
    reason: 'leaked',
  });
  expect(rotated.json()).toMatchObject({ client_id: application.client_id });
  const clientIds = [
    ...[demo.partner, ...demo.applications].map(({ clientId }) => clientId),
    partner.clientId,
    application.client_id,
  ];
  expect(clientIds.length).toBeGreaterThan(3);
  const stored = await everythingStored(server);
  expect(stored).toContain(application.namespace);
  const asStored = (clientId: string) => [clientId, ...(['hex', 'base64'] as const).map((as) => encoded(clientId, as))];
  expect(clientIds.flatMap(asStored).filter((text) => stored.includes(text))).toEqual([]);
});

const encoded = (text: string, as: 'hex' | 'base64'): string => Buffer.from(text).toString(as).replace(/=+$/, '');

it('V14.2.4: what stands in the database of a client id is taken from nobody in its place', async () => {
  const partner = await server.newPartner();
  const { client_id, client_secret } = await newApplication(server);
  const call = (id: string) =>
    server.call('GET', '/v2/partner/float', { headers: { ...partner.headers, 'x-client-id': id } });
  const ask = (id: string) => server.call('POST', '/api/v1/auth/token', { payload: { client_id: id, client_secret } });
  expect([(await call(partner.clientId)).statusCode, (await ask(client_id)).statusCode]).toEqual([200, 200]);
  for (const as of ['hex', 'base64'] as const) {
    const digestOf = (clientId: string) => sha256(clientId).toString(as);
    expect(refusalOf(await call(digestOf(partner.clientId)))).toEqual([401, 'INVALID_CREDENTIALS']);
    expect(refusalOf(await ask(digestOf(client_id)))).toEqual([401, 'INVALID_CLIENT']);
  }
});
