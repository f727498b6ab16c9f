import { expect, it } from 'vitest';
import { clientOf, remotePartner } from '../support/client.ts';
import { useDatabase } from '../support/database.ts';
import { serverEnv, startServer } from '../support/process.ts';
import { realProviders } from '../support/variables.ts';

const database = useDatabase();

it('live starts with real providers, serves, and calls none of them before it is needed', async () => {
  const env = { ...serverEnv(database.url), ENVIRONMENT: 'live', NUBAN_INSTITUTION_CODE: '058', ...realProviders };
  const server = await startServer({ ...env, WEBHOOK_ALLOWED_CIDRS: '' });
  const { apiKey, headers } = await remotePartner(clientOf(server.url), { name: 'Acme', float: 100 });
  expect(apiKey).toMatch(/^sk_live_/);
  expect(await clientOf(server.url)('GET', '/v2/partner/float', { headers })).toMatchObject({ status: 200 });
  expect(await server.stop()).toBe(0);
  expect(server.stderr).toBe('');
});
