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
