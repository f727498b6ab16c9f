import { expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { askForToken, newApplication, newToken, type TestApplication } from '../support/application.ts';

const server = useApp();
const other = useApp({}, server);

const statusOf = async (app: typeof server, headers: TestApplication['headers']) =>
  (await app.call('GET', '/api/v1/wallet', { headers })).statusCode;
const rotate = (id: string, immediately: boolean) =>
  server.operate('POST', `/applications/${id}/secret/rotate`, { immediately, reason: 'it was stolen' });

it('V7.4.1: a rotation that is immediate ends the tokens so far, in every process within a second, and those of nobody else', async () => {
  const [acme, shop] = [await newApplication(server), await newApplication(server)];
  for (const app of [server, other]) expect(await statusOf(app, acme.headers)).toBe(200);
  const { client_secret } = (await rotate(acme.applicationId, true)).json<{ client_secret: string }>();
  expect(await statusOf(server, acme.headers)).toBe(401);
  server.clock.advance(1_000);
  const refused = await other.call('GET', '/api/v1/wallet', { headers: acme.headers });
  expect([refused.statusCode, refused.json().errorCode]).toEqual([401, 'INVALID_APPLICATION_TOKEN']);
  expect((await askForToken(server, acme)).statusCode).toBe(401);
  const fresh = await newToken(server, { ...acme, client_secret }); // in the same second
  for (const app of [server, other]) {
    expect(await statusOf(app, fresh)).toBe(200);
    expect(await statusOf(app, shop.headers)).toBe(200);
  }
});

it('V7.4.1: an application that rotates immediately ends its own token, and not by a rotation with an overlap', async () => {
  const acme = await newApplication(server);
  const payload = { client_secret: acme.client_secret };
  const call = { headers: acme.headers, payload };
  const { data } = (await server.call('POST', '/api/v1/applications/secret/rotate', call)).json();
  expect(await statusOf(server, acme.headers)).toBe(200);
  const atOnce = { client_secret: data.client_secret, immediately: true };
  await server.call('POST', '/api/v1/applications/secret/rotate', { headers: acme.headers, payload: atOnce });
  expect(await statusOf(server, acme.headers)).toBe(401);
});

it('V7.4.1: no token that is issued while the secret is rotated immediately outlives it', async () => {
  const acme = await newApplication(server);
  const [answers] = await Promise.all([
    Promise.all(Array.from({ length: 20 }, () => askForToken(server, acme))),
    rotate(acme.applicationId, true),
  ]);
  server.clock.advance(1_000);
  const issued = answers.filter(({ statusCode }) => statusCode === 200);
  for (const answer of issued) {
    const authorization = `Bearer ${answer.json<{ access_token: string }>().access_token}`;
    expect(await statusOf(other, { authorization })).toBe(401);
  }
});
