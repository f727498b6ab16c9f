import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { customerToken, logIn, newCustomer } from '../../support/onboarding.ts';

const server = useSharedApp();
const HOOKS = 'http://127.0.0.1:9/hooks';
const patch = (id: string, body: object) =>
  server.operate('PATCH', `/partners/${id}`, { reason: 'they moved', ...body });

describe('200', () => {
  it('changes name, redirect URL and webhook URL, and is audited with before, after and the reason', async () => {
    const { id } = await server.newPartner();
    const before = (await server.operate('GET', `/partners/${id}`)).json();
    const change = { name: 'New Name', redirectUrl: 'https://new.example/back', webhookUrl: HOOKS };
    const answer = await patch(id, change);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ ...before, ...change, updatedAt: expect.any(String) });
    expect((await server.operate('GET', `/receivers/${id}`)).json().url).toBe(HOOKS);
    expect((await auditOf(server, id)).at(-1)).toEqual({
      actor: 'operator:root',
      action: 'partner.change',
      before: { name: before.name, redirectUrl: before.redirectUrl, webhookUrl: null, hasContact: false },
      after: { ...change, hasContact: false },
      reason: 'they moved',
    });
  });

  it('what is not given stays; a webhook URL of null is taken away', async () => {
    const { id } = await server.newPartner({ webhookUrl: HOOKS });
    expect((await patch(id, { name: 'Other' })).json()).toMatchObject({ name: 'Other', webhookUrl: HOOKS });
    const without = (await patch(id, { webhookUrl: null })).json();
    expect(without).not.toHaveProperty('webhookUrl');
    expect(without).toMatchObject({ name: 'Other', redirectUrl: expect.stringContaining('partner.example') });
  });

  it('the next login returns to the new redirect URL, and whoever is logged in stays so', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const token = await customerToken(server, partner, paytag);
    await patch(partner.id, { redirectUrl: 'https://new.example/back' });
    expect((await logIn(server, partner, paytag)).body).toMatch(/^https:\/\/new\.example\/back\?auth-code=/);
    const headers = { ...partner.headers, authorization: `Bearer ${token}` };
    expect((await server.call('GET', '/v2/sso/wallet', { headers })).statusCode).toBe(200);
  });
});
