import { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientOf, remotePartner } from '../support/client.ts';
import { asOwner, useDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_TOKEN, serverEnv, startServer } from '../support/process.ts';
import { type ServedHere, serveHere } from '../support/served.ts';

const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const CUT_EVERY_MS = 50;

const database = useDatabase();
let servers: ServedHere[] = [];
let owner: Pool;
beforeAll(async () => {
  owner = new Pool({ connectionString: asOwner(database.url), max: 2 });
  const env = { ...serverEnv(database.url), ROLE: 'api' };
  servers = await Promise.all([serveHere(env), startServer(env)]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await owner.end();
});

/** Ends the listening connections of all processes, and each that they open again. */
const cutListeners = () =>
  owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'paytag-listen' and datname = current_database()`,
  );

it('what one process ends is refused by another that is told of nothing', async () => {
  const [here, there] = servers.map(({ url }) => clientOf(url));
  if (here === undefined || there === undefined) throw new Error('two processes run');
  const { id, headers } = await remotePartner(here, { name: 'Acme' });
  const statusOf = async (call: typeof here) => (await call('GET', '/v2/partner/float', { headers })).status;
  const cutting = setInterval(() => void cutListeners().catch(() => undefined), CUT_EVERY_MS);
  try {
    await eventually(async () => {
      for (const call of [here, there]) expect(await statusOf(call)).toBe(200);
      for (const { stdout } of servers) expect(stdout).toContain('listening for changed credentials fails');
    });
    const json = { reason: 'a complaint' };
    await here('POST', `/operator/v1/partners/${id}/suspend`, { headers: operator, json });
    expect(await statusOf(here)).toBe(403);
    await eventually(async () => expect(await statusOf(there)).toBe(403));
    await here('POST', `/operator/v1/partners/${id}/restore`, { headers: operator, json });
    for (const call of [here, there]) expect(await statusOf(call)).toBe(200);
  } finally {
    clearInterval(cutting);
  }
});
