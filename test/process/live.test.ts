import { expect, it } from 'vitest';
import { clientOf, remotePartner } from '../support/client.ts';
import { useDatabase } from '../support/database.ts';
import { documentAt } from '../support/documents.ts';
import { ownPort, serverEnv, startServer } from '../support/process.ts';
import { liveEnv } from '../support/variables.ts';

const database = useDatabase();

/** Every operation that the guide to the sandbox names, and its base. */
function sandboxRoutes(): [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string][] {
  const { text } = documentAt('src/docs/sandbox.md');
  const named = [...text.matchAll(/^\| `(GET|POST|PUT|DELETE) (\/v2\/sandbox\/\S+)` \|/gm)];
  const routes = named.map(([, method = '', path = '']) => [method, path.replaceAll(/[{}]/g, '')] as never);
  expect(routes.length).toBeGreaterThan(20);
  return [...routes, ['GET', '/v2/sandbox'] as never];
}

it('live starts with real providers, serves, calls none of them before it is needed, and keeps operator and metrics to their own ports', async () => {
  const ports = { OPERATOR_PORT: String(await ownPort()), METRICS_PORT: String(await ownPort()) };
  const server = await startServer({ ...serverEnv(database.url), ...liveEnv, ...ports });
  const [main, operator, metrics] = [server.url, ports.OPERATOR_PORT, ports.METRICS_PORT].map((at) =>
    clientOf(at.startsWith('http') ? at : `http://127.0.0.1:${at}`),
  ) as [ReturnType<typeof clientOf>, ReturnType<typeof clientOf>, ReturnType<typeof clientOf>];
  const { apiKey, headers } = await remotePartner(operator, {
    name: 'Acme',
    float: 100,
    operatorToken: liveEnv.OPERATOR_TOKEN,
  });
  expect(apiKey).toMatch(/^sk_live_/);
  expect(await main('GET', '/v2/partner/float', { headers })).toMatchObject({ status: 200 });

  const authorization = { headers: { authorization: `Bearer ${liveEnv.OPERATOR_TOKEN}` } };
  const statuses = async (path: string) =>
    Promise.all([main, operator, metrics].map(async (call) => (await call('GET', path, authorization)).status));
  expect(await statuses('/operator/v1/partners')).toEqual([404, 200, 404]);
  expect(await statuses('/operator/v1/openapi.json')).toEqual([404, 200, 404]);
  expect(await statuses('/metrics')).toEqual([404, 404, 200]);
  expect(await statuses('/health/ready')).toEqual([200, 404, 404]);
  expect(await statuses('/v2/partner/float')).toEqual([401, 404, 404]);
  for (const [method, path] of sandboxRoutes()) {
    const { status, body } = await main(method, path, { headers });
    expect([method, path, status, (body as { errorCode: string }).errorCode]).toEqual([
      method,
      path,
      404,
      'ROUTE_NOT_FOUND',
    ]);
  }
  const document = await main('GET', '/v2/openapi.json');
  expect(document.text).toContain('/v2/partner/wallet');
  expect(document.text).not.toContain('sandbox/');

  const { text } = await main('GET', '/', { headers: { accept: 'text/html' } });
  expect(text).toContain('environment live');
  expect(text).not.toContain('banner">');

  expect(await server.stop()).toBe(0);
  expect(server.stderr).toBe('');
  const { pathname, host } = new URL(database.url);
  const [first = ''] = server.stdout.split('\n');
  expect(JSON.parse(first)).toMatchObject({
    environment: 'live',
    version: '0.1.0',
    role: 'all',
    simulated: [],
    database: `${host}${pathname}`,
    msg: 'starting',
  });
});
