import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { customerToken, logIn, newCustomer } from '../../support/onboarding.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';

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

describe('400', () => {
  it.each([
    ['nothing to change', {}, 'INVALID_PARAMETER', 'name: '],
    ['no reason', { name: 'A', reason: '' }, 'INVALID_PARAMETER', 'reason: '],
    ['a name that is none', { name: ['A'] }, 'INVALID_PARAMETER', 'name: '],
    ['a name that turns what follows it', { name: 'Acme\u202ePay' }, 'INVALID_PARAMETER', 'name: '],
    ['a redirect URL of another scheme', { redirectUrl: 'javascript:alert(1)' }, 'INVALID_PARAMETER', 'redirectUrl: '],
    ['one with a fragment', { redirectUrl: 'https://a.example/#x' }, 'REDIRECT_URL_REFUSED', 'redirectUrl: '],
    ['one with an empty fragment', { redirectUrl: 'https://a.example/cb#' }, 'REDIRECT_URL_REFUSED', 'redirectUrl: '],
    ...['auth-code=x', 'a=b&code=', 'state=x', 'STATE=x', '%65rror=x', 'iss', 'error'].map(
      (query): [string, object, string, string] => [
        `one whose query has ${query}`,
        { redirectUrl: `https://a.example/cb?${query}` },
        'REDIRECT_URL_REFUSED',
        'redirectUrl: ',
      ],
    ),
    ...[
      'https:a.example/cb',
      'https:/a.example/cb',
      'https:///a.example/cb',
      'https://a.example\\@evil.example/',
      'https://a.example\\cb',
      'HTTPS://a.example/cb',
      'https://A.example/cb',
      'https://a.example:443/cb',
      'https://a.example/x/../cb',
      'https://a.example/%2e%2e/cb',
      'https://0x7f.1/cb',
      'https://2130706433/cb',
      'https://%61.example/cb',
      'https://@a.example/cb',
      'https://a.example/cb?a="b"',
    ].map((redirectUrl): [string, object, string, string] => [
      `one that is read otherwise, ${redirectUrl}`,
      { redirectUrl },
      'INVALID_PARAMETER',
      'redirectUrl: ',
    ]),
    ['a name with a web address', { name: 'Acme evil.com' }, 'INVALID_PARAMETER', 'name: '],
    ['a name of another script', { name: 'Αcme' }, 'INVALID_PARAMETER', 'name: '],
    ['a webhook URL that is none', { webhookUrl: 'not a url' }, 'INVALID_PARAMETER', 'webhookUrl: '],
    ['one that goes where it must not', { webhookUrl: 'http://10.0.0.1/x' }, 'WEBHOOK_TARGET_REFUSED', 'webhook URL'],
  ])('%s, and nothing is changed', async (_what, body, errorCode, field) => {
    const { id } = await server.newPartner();
    const before = (await server.operate('GET', `/partners/${id}`)).json();
    const entries = await auditOf(server, id);
    const answer = await patch(id, { name: undefined, ...body });
    expect(refusalOf(answer)).toEqual([400, errorCode]);
    expect(answer.json().errors[0]).toContain(field);
    expect((await server.operate('GET', `/partners/${id}`)).json()).toEqual(before);
    expect(await auditOf(server, id)).toEqual(entries);
  });

  it('an id that is none', async () => {
    expect(refusalOf(await patch('acme', { name: 'A' }))).toEqual([400, 'INVALID_PARAMETER']);
  });
});

describe('404', () => {
  it('a partner nobody knows', async () => {
    expect(refusalOf(await patch(NOBODY, { name: 'A' }))).toEqual([404, 'PARTNER_NOT_FOUND']);
  });
});
