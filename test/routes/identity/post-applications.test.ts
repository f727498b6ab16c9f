import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication, type TestApplication } from '../../support/application.ts';

const server = useApp();
const register = (payload: object) => server.call('POST', '/api/v1/applications', { payload });

describe('201', () => {
  it('answers the credentials, once, in the Envelope', async () => {
    const payload = {
      applicationName: 'Mama Put & Söhne',
      email: 'dev@example.com',
      imageUrl: 'https://img.example/logo.png',
      webhookUrl: 'http://127.0.0.1:9/hook',
    };
    const answer = await register(payload);
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      success: true,
      message: expect.any(String),
      errorCode: '',
      errors: [],
      timestamp: expect.any(String),
      data: {
        applicationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        applicationName: 'Mama Put & Söhne',
        namespace: 'mama-put-sohne',
        status: 'ACTIVE',
        client_id: expect.stringMatching(/^app_[0-9a-f]{32}$/),
        client_secret: expect.stringMatching(/^as_sandbox_[\w-]{43}$/),
        webhookUrl: 'http://127.0.0.1:9/hook',
        webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        createdAt: expect.any(String),
      },
    });
    expect(server.logged).not.toContain(answer.json<{ data: TestApplication }>().data.client_secret);
  });

  it('gives each application a namespace of its own, ours included, though they ask for the same at once', async () => {
    const names = ['Acme Pay', 'acme pay', 'ACME-PAY', 'PayTag', '支付', '付款'];
    const made = await Promise.all(names.map((name) => newApplication(server, name)));
    const namespaces = made.map(({ namespace }) => namespace);
    expect(new Set(namespaces).size).toBe(names.length);
    for (const namespace of namespaces) expect(namespace).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(namespaces).toContain('acme-pay');
    expect(namespaces).not.toContain('paytag');
  });
});

describe('400', () => {
  it.each([
    [{}, 'applicationName'],
    [{ applicationName: ' ' }, 'applicationName'],
    [{ applicationName: 7 }, 'applicationName'],
    [{ applicationName: 'a'.repeat(101) }, 'applicationName'],
    [{ applicationName: 'Acme', email: 'acme' }, 'email'],
    [{ applicationName: 'Acme', imageUrl: 'javascript:alert(1)' }, 'imageUrl'],
  ])('refuses %j', async (payload, named) => {
    const answer = await register(payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ success: false, data: null, errorCode: 'INVALID_PARAMETER' });
    expect(answer.json<{ message: string }>().message).toContain(named);
  });

  it('refuses a webhook target inside the network', async () => {
    const answer = await register({ applicationName: 'Acme', webhookUrl: 'https://10.0.0.1/hook' });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errorCode: 'WEBHOOK_TARGET_REFUSED' });
  });
});

describe('415', () => {
  it('takes no form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await server.call('POST', '/api/v1/applications', { headers, payload: 'applicationName=Acme' });
    expect(answer.statusCode).toBe(415);
  });
});
