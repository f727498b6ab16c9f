import { createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { listenLocally } from '../../src/embedded/port.ts';
import { prepareDatabase } from '../../src/prepare-database.ts';
import { startFailure } from '../../src/start-failure.ts';
import { selfSigned } from '../support/self-signed.ts';

const rootKey = {
  wrapsWith: 'master-key',
  masterKey: Buffer.alloc(32, 7),
  previousMasterKey: undefined,
  vault: undefined,
} as const;

let server: Server;
afterEach(() => server.close());

/** What a server that cannot use the database at `url` prints. */
async function refusalBy(answer: (socket: Socket) => void, options = ''): Promise<unknown> {
  server = createServer((socket) => socket.on('error', () => undefined).once('data', () => answer(socket)));
  const url = `postgresql://app@127.0.0.1:${await listenLocally(server)}/app${options}`;
  const settings = { environment: 'sandbox', rootKey, migrate: 'never' } as const;
  return startFailure(
    await prepareDatabase({ url, ownerUrl: undefined }, settings).then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
}

const int = (bytes: 2 | 4, value: number) => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeIntBE(value, 0, bytes);
  return buffer;
};
/** A message of PostgreSQL's protocol: https://www.postgresql.org/docs/18/protocol-message-formats.html */
const message = (type: string, ...parts: (Buffer | string)[]) => {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  return Buffer.concat([Buffer.from(type), int(4, body.length + 4), body]);
};
const column = (name: string) =>
  Buffer.concat([Buffer.from(`${name}\0`), int(4, 0), int(2, 0), int(4, 25), int(2, -1), int(4, -1), int(2, 0)]);
const ready = message('Z', 'I');

/** A PostgreSQL of this version without any schema of ours. */
const postgresql = (version: string) => (socket: Socket) => {
  socket.write(Buffer.concat([message('R', int(4, 0)), ready]));
  socket.on('data', (data) => {
    if (data.toString('latin1', 0, 1) !== 'Q') return;
    const row = [int(2, 2), int(4, -1), int(4, version.length), version];
    const columns = message('T', int(2, 2), column('stamp'), column('version'));
    socket.write(Buffer.concat([columns, message('D', ...row), message('C', 'SELECT 1\0'), ready]));
  });
};

it.each(['17.6 (Debian 17.6-1)', '9.6.24'])(
  'PostgreSQL %s is too old, and the line says which is needed',
  async (version) => {
    expect(await refusalBy(postgresql(version))).toMatch(
      new RegExp(
        `^DATABASE_URL: 127\\.0\\.0\\.1:\\d+/app is PostgreSQL ${version.replaceAll(/[.()]/g, '\\$&')}: PostgreSQL 18 or newer is needed$`,
      ),
    );
  },
);

it('a certificate of the database that nobody vouches for is a line that says where its authority is named', async () => {
  const { key, cert } = selfSigned('IP:127.0.0.1');
  const encrypting = (socket: Socket) => {
    socket.write('S');
    new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => undefined);
  };
  expect(await refusalBy(encrypting, '?sslmode=verify-full')).toBe(
    'DATABASE_URL: the certificate of the database is not trusted (self-signed certificate): name its authority in the URL, with sslrootcert=/path/of/ca.pem',
  );
});

it('a database that offers no TLS where it was asked for is a line', async () => {
  const line = await refusalBy((socket) => socket.write('N'), '?sslmode=verify-full');
  expect(line).toBe('DATABASE_URL: the database cannot be reached (The server does not support SSL connections)');
});
