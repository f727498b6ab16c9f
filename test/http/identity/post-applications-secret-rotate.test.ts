import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newApplication, type TestApplication } from '../../support/application.ts';

const server = useSharedApp();
const rotate = ({ headers }: TestApplication, payload: object) =>
  server.call('POST', '/api/v1/applications/secret/rotate', { headers, payload });
const askForToken = ({ client_id }: TestApplication, client_secret: string) =>
  server.call('POST', '/api/v1/auth/token', { payload: { client_id, client_secret } });

describe('200', () => {
  it('answers a new secret, and the previous one still works for a day', async () => {
    const acme = await newApplication(server);
    const answer = await rotate(acme, { client_secret: acme.client_secret });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { data } = answer.json();
    expect(data).toEqual({
      client_id: acme.client_id,
      client_secret: expect.stringMatching(/^as_sandbox_[\w-]{43}$/),
      previousUntil: expect.any(String),
    });
    for (const secret of [data.client_secret, acme.client_secret]) {
      expect((await askForToken(acme, secret)).statusCode).toBe(200);
    }
  });

  it('rotates once, though fifty ask at once', async () => {
    const acme = await newApplication(server);
    const payload = { client_secret: acme.client_secret };
    const answers = await Promise.all(Array.from({ length: 50 }, () => rotate(acme, payload)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(49);
  });
});

describe('400', () => {
  it('requires the current secret', async () => {
    expect((await rotate(await newApplication(server), {})).statusCode).toBe(400);
  });
});

describe('401', () => {
  it('refuses a token without the right secret, and the secret without a token', async () => {
    const [acme, other] = [await newApplication(server), await newApplication(server)];
    const wrong = await rotate(acme, { client_secret: other.client_secret });
    expect([wrong.statusCode, wrong.json().errorCode]).toEqual([401, 'INVALID_CLIENT']);
    const payload = { client_secret: acme.client_secret };
    const without = await server.call('POST', '/api/v1/applications/secret/rotate', { payload });
    expect([without.statusCode, without.json().errorCode]).toEqual([401, 'INVALID_APPLICATION_TOKEN']);
  });
});
