import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication, type TestApplication } from '../../support/application.ts';

const server = useApp();
const limited = useApp({ RATE_LIMIT_REGISTRATIONS_PER_H: '3', TRUSTED_PROXIES: '10.0.0.1' });
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

  it('gives each application a namespace of its own though they ask for the same at once', async () => {
    const names = ['Acme Pay', 'acme pay', 'ACME-PAY', 'متجر', 'سوق'];
    const made = await Promise.all(names.map((name) => newApplication(server, name)));
    const namespaces = made.map(({ namespace }) => namespace);
    expect(new Set(namespaces).size).toBe(names.length);
    for (const namespace of namespaces) expect(namespace).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(namespaces).toContain('acme-pay');
  });
});

it.each(['Bank', 'Wallet', 'متجر'])('names that come near no reserved one may be had: %s', async (applicationName) => {
  expect((await register({ applicationName })).statusCode).toBe(201);
});

describe('429', () => {
  const from = async (remoteAddress: string, forwardedFor: string) =>
    limited.call('POST', '/api/v1/applications', {
      payload: { applicationName: 'Acme' },
      remoteAddress,
      headers: { 'x-forwarded-for': forwardedFor },
    });

  it('refuses an address that has registered enough, in the Envelope, until the hour has passed', async () => {
    for (let n = 0; n < 3; n++) expect((await from('10.0.0.1', '192.0.2.1')).statusCode).toBe(201);
    const refused = await from('10.0.0.1', '192.0.2.1');
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ success: false, errorCode: 'TOO_MANY_REQUESTS', data: null });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    expect((await from('10.0.0.1', '192.0.2.2')).statusCode).toBe(201);
    limited.clock.advance(3_600_000);
    expect((await from('10.0.0.1', '192.0.2.1')).statusCode).toBe(201);
  });

  it('counts refused webhook targets too, so that DNS look-ups are limited', async () => {
    const ask = () =>
      limited.call('POST', '/api/v1/applications', {
        payload: { applicationName: 'Acme', webhookUrl: 'https://10.0.0.1/hook' },
        remoteAddress: '198.51.100.7',
      });
    for (let n = 0; n < 3; n++) expect((await ask()).json().errorCode).toBe('WEBHOOK_TARGET_REFUSED');
    expect((await ask()).statusCode).toBe(429);
  });

  it('trusts X-Forwarded-For only from a trusted proxy', async () => {
    for (let n = 0; n < 3; n++) expect((await from('10.9.9.9', `192.0.2.1${n}`)).statusCode).toBe(201);
    expect((await from('10.9.9.9', '192.0.2.99')).statusCode).toBe(429);
  });

  it('counts a whole IPv6 network as one address', async () => {
    for (let n = 0; n < 3; n++) expect((await from('10.0.0.1', `2001:db8:1:2::${n}`)).statusCode).toBe(201);
    expect((await from('10.0.0.1', '2001:db8:1:2:ffff::1')).statusCode).toBe(429);
    expect((await from('10.0.0.1', '2001:db8:1:3::1')).statusCode).toBe(201);
  });
});
