import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { clientOf, remotePartner } from '../support/client.ts';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { isListening, serverEnv, startProgram, startServer } from '../support/process.ts';
import { useReceiver } from '../support/receiver.ts';

const database = useDatabase();
const receiver = useReceiver();

it('a server that works takes no request any more while its worker still ends what is under way', async () => {
  const answered = Promise.withResolvers<number>();
  receiver.answer(() => answered.promise);
  const server = await startServer({ ...serverEnv(database.url), ROLE: 'all' });
  try {
    const call = clientOf(server.url);
    const { headers } = await remotePartner(call, { name: 'Acme', webhookUrl: receiver.url, float: 10 });
    const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
    const { body } = await call<{ Reference: string }>('POST', '/v2/partner/wallet', { headers, json });
    const credit = { amount: 1, reference: 'one' };
    await call('POST', `/v2/partner/wallet/${body.Reference}/credit`, { headers, json: credit });
    await eventually(() => expect(receiver.requests).toHaveLength(1));

    const stopped = server.stop();
    await eventually(async () => expect(await isListening(server.port)).toBe(false));
    expect(server.child.exitCode).toBeNull();
    answered.resolve(200);
    expect(await stopped).toBe(0);
  } finally {
    await server.kill('SIGKILL');
  }
});

it('a server that waits for the migration of another process ends at once when it is told to', async () => {
  const other = new Client({ connectionString: database.ownerUrl });
  await other.connect();
  try {
    await other.query('select pg_advisory_lock(7236514021)');
    const server = await startProgram(['src/server.ts'], { ...serverEnv(database.url), MIGRATE: 'never' });
    await eventually(() => expect(server.stdout).toContain('another process that migrates this database'));
    const { code, stdout, stderr } = await server.kill('SIGTERM');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('"signal":"SIGTERM"');
  } finally {
    await other.end();
  }
});

it('a server at localhost has the operator’s surface wherever it listens', async () => {
  const server = await startServer({ ...serverEnv(database.url), HOST: 'localhost', ROLE: 'api' });
  onTestFinished(() => void server.stop());
  const asked = ['127.0.0.1', '[::1]'].map((host) =>
    fetch(`http://${host}:${server.port}/operator/v1/partners`).then(
      ({ status }) => status,
      () => 'nobody there',
    ),
  );
  expect([
    [401, 'nobody there'],
    [401, 401],
  ]).toContainEqual(await Promise.all(asked));
});
