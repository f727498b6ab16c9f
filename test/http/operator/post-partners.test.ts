import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';

const server = useSharedApp();
const given = { name: 'Acme Pay', redirectUrl: 'https://acme.example/callback' };

describe('201', () => {
  it('creates a partner and shows its secrets this once', async () => {
    const answer = await server.operate('POST', '/partners', { ...given, webhookUrl: 'http://127.0.0.1:4321/hooks' });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Acme Pay',
      clientId: expect.stringMatching(/^pc_[0-9a-f]{32}$/),
      apiKey: expect.stringMatching(/^sk_sandbox_[\w-]{43}$/),
      redirectUrl: 'https://acme.example/callback',
      webhookUrl: 'http://127.0.0.1:4321/hooks',
      webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      status: 'ACTIVE',
      createdAt: expect.any(String),
    });
  });

  it('leaves out a webhook URL that was not given', async () => {
    const answer = await server.operate('POST', '/partners', { ...given, webhookUrl: '' });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).not.toHaveProperty('webhookUrl');
  });

  it('writes who created what to the audit log, without the secrets', async () => {
    const created = (await server.operate('POST', '/partners', given)).json();
    const { rows } = await server.owner.query('select * from audit.entry where target = $1', [created.id]);
    expect(rows).toMatchObject([{ actor: 'operator:root', action: 'partner.create', after: given }]);
    for (const secret of [created.apiKey, created.clientId, created.webhookSecret]) {
      expect(JSON.stringify(rows)).not.toContain(secret);
    }
    await expect(server.owner.query('delete from audit.entry')).rejects.toMatchObject({ code: 'PT002' });
  });
});

describe('400', () => {
  it.each([
    ['no name', { redirectUrl: given.redirectUrl }, 'name'],
    ['a name that turns what follows it', { ...given, name: 'Acme\u202ePay' }, 'name'],
    ['a name with a control character', { ...given, name: 'Acme\u0007' }, 'name'],
    ['a name that opens markup', { ...given, name: '<b>Acme' }, 'name'],
    ['no redirect URL', { name: 'A' }, 'redirectUrl'],
    ['a redirect URL of another scheme', { ...given, redirectUrl: 'javascript:alert(1)' }, 'redirectUrl'],
    ['a redirect URL with a fragment', { ...given, redirectUrl: 'https://acme.example/#x' }, 'redirectUrl'],
    ['a redirect URL with userinfo', { ...given, redirectUrl: 'https://a:b@acme.example/' }, 'redirectUrl'],
    ['a webhook URL that is none', { ...given, webhookUrl: 'not a url' }, 'webhookUrl'],
  ])('%s', async (_what, body, field) => {
    const answer = await server.operate('POST', '/partners', body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0]).toMatch(new RegExp(`^${field}: `));
  });

  it.each(['http://169.254.169.254/latest/meta-data', 'http://10.0.0.1/x', 'http://[::ffff:a00:1]/x'])(
    'a webhook URL that goes where it must not: %s',
    async (webhookUrl) => {
      const answer = await server.operate('POST', '/partners', { ...given, webhookUrl });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().errorCode).toBe('WEBHOOK_TARGET_REFUSED');
    },
  );
});
