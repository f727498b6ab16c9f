import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { supervise } from '../../src/embedded/supervisor.ts';
import { eventually } from './eventually.ts';
import { ownPort } from './port.ts';

/** It runs as whoever runs the tests, or as `nobody` where that is root, which it refuses. */
const ourselves = { name: 'ourselves', prefix: [] };

/** Connections to PostgreSQL: fewer than a server of ours opens, so that they change hands all the time. */
const CONNECTIONS = 3;

/** A real PgBouncer in transaction mode for this test file. Resolves a database's URL to the one through it. */
export function usePgBouncer(): { through(databaseUrl: string): string } {
  let port = 0;
  let end = async () => {};
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'paytag-test-pgbouncer-'));
    port = await ownPort();
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
      `default_pool_size = ${CONNECTIONS}`,
      ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
    ];
    await writeFile(join(folder, 'users'), '"paytag_server" "of-the-tests"\n', { mode: 0o644 });
    await writeFile(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
    const command = [inject('pgbouncer'), join(folder, 'pgbouncer.ini')];
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
  };
}
