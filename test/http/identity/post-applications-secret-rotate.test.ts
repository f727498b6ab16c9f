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
