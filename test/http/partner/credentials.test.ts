import { expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';

const server = useSharedApp();

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

it('the API key is stored as a digest only', async () => {
  const partner = await server.newPartner();
  const { rows } = await server.owner.query('select * from partners.api_key where partner_id = $1', [partner.id]);
  expect(JSON.stringify(rows)).not.toContain(partner.apiKey);
  expect(rows[0].digest).toHaveLength(32);
});
