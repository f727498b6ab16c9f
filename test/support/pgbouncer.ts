import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { supervise } from '../../src/embedded/supervisor.ts';
import { eventually } from './eventually.ts';
import { ownPort } from './port.ts';
import { ensurePreparingPgBouncer } from './setup/preparing-pgbouncer.ts';

/** It runs as whoever runs the tests, or as `nobody` where that is root, which it refuses. */
const ourselves = { name: 'ourselves', prefix: [] };

/** To PostgreSQL: fewer than a server of ours opens, so that they change hands all the time. */
const CONNECTIONS = 3;

/** More than the server has. */
const STATEMENTS_MAX = 2_000;
const LOGIN = { user: 'paytag_server', password: 'of-the-tests' };

interface TestPgBouncer {
  /** Resolves a database's URL to the one through it. */
  through(databaseUrl: string): string;
  /** Says something in its console. */
  ask<Row>(command: string): Promise<Row[]>;
}

/**
 * A real PgBouncer in transaction mode for this test file, or one part of it.
 *
 * @param given.prepares takes one that prepares statements; it is built where the one that is installed does not
 * @param given.connections to PostgreSQL
 */
export function usePgBouncer({ prepares = false, connections = CONNECTIONS } = {}): TestPgBouncer {
  let port = 0;
  let end = async () => {};
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'paytag-test-pgbouncer-'));
    port = await ownPort();
    const program = prepares ? await ensurePreparingPgBouncer(inject('pgbouncer')) : inject('pgbouncer');
    const { hostname, port: behind } = new URL(inject('databaseServerUrl'));
    const lines = [
      '[databases]',
      `* = host=${hostname} port=${behind}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'pool_mode = transaction',
      'auth_type = plain',
      `auth_file = ${join(folder, 'users')}`,
      `default_pool_size = ${connections}`,
      `admin_users = ${LOGIN.user}`,
      ...(prepares ? [`max_prepared_statements = ${STATEMENTS_MAX}`] : []),
      ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
    ];
    await writeFile(join(folder, 'users'), `"${LOGIN.user}" "${LOGIN.password}"\n`, { mode: 0o644 });
    await writeFile(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
    const command = [program, join(folder, 'pgbouncer.ini')];
    const pooler = await supervise(command, ourselves, join(folder, 'pgbouncer.log'));
    end = async () => {
      await pooler.stop();
      await rm(folder, { recursive: true, force: true });
    };
    await eventually(async () => {
      if (pooler.child.exitCode !== null) throw new Error(`pgbouncer ended with code ${pooler.child.exitCode}`);
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect').finally(() => socket.destroy());
    });
  });
  afterAll(() => end());
  return {
    through: (databaseUrl) => Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    async ask(command) {
      const console = new Client({ host: '127.0.0.1', port, database: 'pgbouncer', ...LOGIN });
      await console.connect();
      try {
        return (await console.query(command)).rows;
      } finally {
        await console.end();
      }
    },
  };
}
