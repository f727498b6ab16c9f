import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';

const server = useApp();
const calls = [
  ['POST', '/v2/partner/paytag'],
  ['POST', '/v2/partner/paytag/bvn/22212345678'],
  ['POST', '/v2/partner/wallet'],
  ['POST', '/v2/partner/wallet/PW-1/credit'],
  ['POST', '/v2/partner/wallet/PW-1/debit'],
  ['POST', '/v2/sso/auth-code'],
  ['GET', '/v2/sso/token?auth-code=x'],
  ['GET', '/v2/sso/wallet'],
  ['GET', '/v2/sso/verify-tag?paytag=ada'],
] as const;

describe.each(calls)('%s %s without good partner credentials', (method, url) => {
  it('answers the same 401, whatever is wrong with them', async () => {
    const partner = await server.newPartner();
    const other = await server.newPartner();
    const wrong = [
      {},
      { 'x-client-id': partner.clientId },
      { 'x-api-key': partner.apiKey },
      { 'x-client-id': partner.clientId, 'x-api-key': 'sk_sandbox_wrong' },
      { 'x-client-id': 'pc_unknown', 'x-api-key': partner.apiKey },
      { 'x-client-id': partner.clientId, 'x-api-key': other.apiKey },
      { 'x-client-id': `${partner.clientId} `, 'x-api-key': partner.apiKey.slice(0, -1) },
    ];
    const answers = await Promise.all(wrong.map((headers) => server.call(method, url, { headers })));
    const bodies = answers.map((answer) => {
      const { timestamp: _timestamp, requestId: _requestId, ...body } = answer.json();
      return { status: answer.statusCode, ...body };
    });
    expect(bodies[0]).toMatchObject({ status: 401, success: false, errorCode: 'INVALID_CREDENTIALS' });
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  });
});

it('a key of another environment says so', async () => {
  const partner = await server.newPartner();
  const answer = await server.call('POST', '/v2/partner/wallet', {
    headers: { ...partner.headers, 'x-api-key': partner.apiKey.replace('sk_sandbox_', 'sk_live_') },
  });
  expect(answer.statusCode).toBe(401);
  expect(answer.json()).toMatchObject({
    errorCode: 'KEY_ENVIRONMENT_MISMATCH',
    message: expect.stringContaining('live'),
  });
});

it('a revoked key is wrong, and the other key of the partner is good', async () => {
  const partner = await server.newPartner();
  await server.resources.pool.query('update partners.api_key set revoked_at = now() where partner_id = $1', [
    partner.id,
  ]);
  const answer = await server.call('POST', '/v2/partner/wallet', { headers: partner.headers });
  expect(answer.statusCode).toBe(401);
});

it('a suspended partner is 403', async () => {
  const partner = await server.newPartner();
  await server.resources.pool.query(`update partners.partner set status = 'SUSPENDED' where id = $1`, [partner.id]);
  const answer = await server.call('POST', '/v2/partner/wallet', { headers: partner.headers });
  expect(answer.statusCode).toBe(403);
  expect(answer.json().errorCode).toBe('PARTNER_SUSPENDED');
});

it('the API key is stored as a digest only', async () => {
  const partner = await server.newPartner();
  const { rows } = await server.resources.pool.query('select * from partners.api_key where partner_id = $1', [
    partner.id,
  ]);
  expect(JSON.stringify(rows)).not.toContain(partner.apiKey);
  expect(rows[0].digest).toHaveLength(32);
});
