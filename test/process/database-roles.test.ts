import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createLog } from '#lib/log.ts';
import { openDatabase } from '#lib/postgres/database.ts';
import { assertServerRole } from '#modules/keys';
import { clientOf, remotePartner } from '../support/client.ts';
import { asOwner, createDatabase, createEmptyDatabase, queryAs as query } from '../support/database.ts';
import { runToEnd, serverEnv, startServer } from '../support/process.ts';
import { liveEnv } from '../support/variables.ts';

describe('with the owner’s login beside the server’s', () => {
  it('a new database is migrated by the owner, and the server serves by a login made for it, which can change no entry', async () => {
    const ownerUrl = await createEmptyDatabase();
    const url = Object.assign(new URL(ownerUrl), { username: `server_${randomUUID()}`, password: 'a%20secret' }).href;
    const server = await startServer({ ...serverEnv(url), DATABASE_OWNER_URL: ownerUrl });
    const { headers } = await remotePartner(clientOf(server.url), { name: 'Acme', float: 100 });
    expect(await clientOf(server.url)('GET', '/v2/partner/float', { headers })).toMatchObject({ status: 200 });
    expect(await server.stop()).toBe(0);
    expect(server.stdout).not.toContain('database_role.excessive');
    await expect(query(url, 'update ledger.entry set amount = 1')).rejects.toThrow('permission denied');

    const rotated = url.replace('a%20secret', 'another');
    expect(
      await runToEnd(['src/cli/paytag.js', 'migrate'], { ...serverEnv(rotated), DATABASE_OWNER_URL: ownerUrl }),
    ).toEqual({ code: 0, stdout: 'the sandbox database is up to date\n', stderr: '' });
    await expect(query(url, 'select 1')).rejects.toThrow('password authentication failed');
    expect(await runToEnd(['src/cli/paytag.js', 'ledger', 'check', '--database'], serverEnv(rotated))).toMatchObject({
      code: 0,
    });
  });

  it('MIGRATE=never leaves a database that is behind as it is, and says who has to migrate it', async () => {
    const ownerUrl = await createEmptyDatabase();
    const { code, stderr } = await runToEnd(['src/server.ts'], { ...serverEnv(ownerUrl), MIGRATE: 'never' });
    expect([code, stderr]).toEqual([
      1,
      'the database is not up to date: run "paytag migrate" first, with the owner’s role (DATABASE_OWNER_URL)\n',
    ]);
    expect(await query(ownerUrl, `select to_regnamespace('ledger') as ledger`)).toEqual([{ ledger: null }]);
  });
});

describe('live', () => {
  const can =
    'may change audit.entry and ledger.account and ledger.spending and ledger.transaction and outbox.event and schema ledger';

  it(`refuses a role that ${can}, in one line`, async () => {
    const url = await makeMeddler(asOwner(await createDatabase()));
    const { code, stdout, stderr } = await runToEnd(['src/server.ts'], { ...serverEnv(url), ...liveEnv });
    expect([code, stdout.split('\n').length]).toEqual([1, 2]);
    expect(stderr).toMatch(/^DATABASE_URL logs in as \w+, which [^\n]+: live needs a role that cannot\. [^\n]+\n$/);
    expect(stderr).toContain(`which ${can}: `);
  });

  it.each([
    ['is a superuser', (ownerUrl: string) => ownerUrl],
    ['owns tables or functions', makeOwner],
  ])('refuses a role that %s', async (what, urlOf) => {
    const database = openDatabase(await urlOf(asOwner(await createDatabase())), 1, () => {});
    try {
      await expect(assertServerRole(database.db, 'live', createLog('silent'))).rejects.toThrow(`which ${what}: `);
    } finally {
      await database.close();
    }
  });

  it('`config check --database` refuses it too, and takes the server’s own', async () => {
    const database = await createDatabase();
    const check = (url: string) =>
      runToEnd(['src/cli/paytag.js', 'config', 'check', '--database'], { ...serverEnv(url), ...liveEnv });
    expect(await check(await makeOwner(asOwner(database)))).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^DATABASE_URL logs in as \w+, which owns tables or functions: /),
    });
    const fine = { code: 0, stdout: 'the configuration is valid: live, role all\n', stderr: '' };
    expect(await check(await createDatabase())).toEqual(fine);
  });

  it('in the sandbox the same role is taken, with a warning', async () => {
    const server = await startServer(serverEnv(asOwner(await createDatabase())));
    await server.stop();
    expect(server.stdout).toContain('"can":"is a superuser"');
  });
});

/** A role that owns the tables, and is no superuser. */
async function makeOwner(ownerUrl: string): Promise<string> {
  const role = `owner_${randomUUID().replaceAll('-', '')}`;
  await query(ownerUrl, `create role ${role} login password 'x' in role paytag_server_role`);
  await query(ownerUrl, `alter table ledger.entry owner to ${role}`);
  return Object.assign(new URL(ownerUrl), { username: role, password: 'x' }).href;
}

/** A role of a server to which somebody gave more. */
async function makeMeddler(ownerUrl: string): Promise<string> {
  const role = `server_${randomUUID().replaceAll('-', '')}`;
  await query(ownerUrl, `create role ${role} login password 'x' in role paytag_server_role`);
  await query(ownerUrl, `grant update (comment) on ledger.transaction to ${role}`);
  await query(ownerUrl, `grant delete on audit.entry to ${role}`);
  await query(ownerUrl, `grant update (floor) on ledger.account to ${role}`);
  await query(ownerUrl, `grant trigger on ledger.spending to ${role}`);
  await query(ownerUrl, `grant insert (body) on outbox.event to ${role}`);
  await query(ownerUrl, `grant create on schema ledger to ${role}`);
  return Object.assign(new URL(ownerUrl), { username: role, password: 'x' }).href;
}
