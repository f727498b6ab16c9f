import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import { createLog } from '#lib/log.ts';
import { assertServerRole } from '#modules/installation';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const owner = new Client({ connectionString: database.ownerUrl });
beforeAll(() => owner.connect());
afterAll(() => owner.end());

const log = createLog('silent');
const another = () => `role_${randomUUID().replaceAll('-', '')}`;

/** What live says of a server's login after the owner did this. */
async function live(...statements: ((login: string, other: string) => string)[]): Promise<void> {
  const [login, other] = [another(), another()];
  await owner.query(`create role ${login} login password 'x' in role paytag_server_role`);
  await owner.query(`create role ${other}`);
  for (const statement of statements) await owner.query(statement(login, other));
  const handle = openDatabase(
    Object.assign(new URL(database.url), { username: login, password: 'x' }).href,
    1,
    () => {},
  );
  try {
    await assertServerRole(handle.db, 'live', log);
  } finally {
    await handle.close();
  }
}

describe('V13.2.2: live takes no login of the server that', () => {
  it.each([
    ['replication', 'may replicate'],
    ['createrole', 'may create roles'],
    ['createdb', 'may create databases'],
    ['bypassrls', 'may bypass row security'],
  ])('has the attribute %s', async (attribute, can) => {
    await expect(live((login) => `alter role ${login} ${attribute}`)).rejects.toThrow(`which ${can}: live needs`);
  });

  it.each([
    'pg_execute_server_program',
    'pg_write_server_files',
    'pg_read_server_files',
    'pg_write_all_data',
    'pg_maintain',
    'pg_create_subscription',
    'pg_signal_backend',
  ])('is a member of %s, inherited or not', async (role) => {
    const can = `which may become ${role}: `;
    await expect(live((login) => `grant ${role} to ${login}`)).rejects.toThrow(can);
    await expect(live((login) => `grant ${role} to ${login} with inherit false`)).rejects.toThrow(can);
    const through = live(
      (_, other) => `grant ${role} to ${other}`,
      (login, other) => `grant ${other} to ${login} with inherit false`,
    );
    await expect(through).rejects.toThrow(role);
  });

  it.each([
    ['may change an entry', (other: string) => `grant update on ledger.entry to ${other}`],
    ['may delete from the audit log', (other: string) => `grant delete on audit.entry to ${other}`],
    ['may create in the ledger', (other: string) => `grant create on schema ledger to ${other}`],
    ['is a superuser', (other: string) => `alter role ${other} superuser`],
    ['may create roles', (other: string) => `alter role ${other} createrole`],
  ])('may become one that %s, though it does not inherit', async (_what, given) => {
    const become = live(
      (_login, other) => given(other),
      (login, other) => `grant ${other} to ${login} with inherit false`,
    );
    await expect(become).rejects.toThrow(/which may become role_\w+: live needs/);
  });

  it('may become the owner, though it does not inherit', async () => {
    const become = live(
      (_login, other) => `alter function seals.refuse_out_of_turn() owner to ${other}`,
      (login, other) => `grant ${other} to ${login} with inherit false`,
    );
    await expect(become).rejects.toThrow('which owns tables or functions');
    await owner.query('alter function seals.refuse_out_of_turn() owner to current_user');
  });

  it('owns a function of ours', async () => {
    const owning = live((login) => `alter function ledger.refuse_change() owner to ${login}`);
    await expect(owning).rejects.toThrow('which owns tables or functions');
    await owner.query('alter function ledger.refuse_change() owner to current_user');
  });

  it('may create schemas in the database', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await expect(live((login) => `grant create on database ${name} to ${login}`)).rejects.toThrow(
      'which may create schemas: ',
    );
  });

  it('may turn triggers off', async () => {
    const off = live((login) => `grant set on parameter session_replication_role to ${login}`);
    await expect(off).rejects.toThrow('which may turn triggers off: ');
  });
});

it('takes one that has what the server needs, and a role that may do nothing', async () => {
  await expect(live((login, other) => `grant ${other} to ${login}`)).resolves.toBeUndefined();
});
