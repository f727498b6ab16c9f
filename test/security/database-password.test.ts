import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateDatabase } from '../../src/migrate.ts';
import { ensureServerLogin } from '../../src/server-login.ts';
import { createEmptyDatabase } from '../support/database.ts';

let ownerUrl = '';
let heardUrl = '';
let heard = '';
let listener: Server;

/** Passes the owner's connection on, and keeps what the owner says. */
beforeAll(async () => {
  ownerUrl = await createEmptyDatabase();
  await migrateDatabase(ownerUrl);
  const goal = new URL(ownerUrl);
  listener = createServer((client) => {
    const server = connect({ host: goal.hostname, port: Number(goal.port) });
    client.on('data', (bytes) => void (heard += bytes.toString('latin1')));
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  heardUrl = Object.assign(new URL(ownerUrl), { host: `127.0.0.1:${(listener.address() as AddressInfo).port}` }).href;
});
afterAll(() => void listener.close());

const urlWith = (login: string, password: string): string =>
  Object.assign(new URL(ownerUrl), { username: login, password: encodeURIComponent(password) }).href;

async function logIn(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query('select current_user as name')).rows[0].name;
  } finally {
    await client.end();
  }
}

describe('V16.2.5: the password of the server’s login stands in no statement, which a database may log', () => {
  it.each(['a plain one', "it's $quoted\\ and %61", 'pässwört → ключ'])('%s', async (password) => {
    const login = `server_${randomUUID()}`;
    heard = '';
    await ensureServerLogin(heardUrl, urlWith(login, password));
    expect(heard).toContain(`create role "${login}"`);
    expect(heard).not.toContain(Buffer.from(password).toString('latin1'));
    expect(await logIn(urlWith(login, password))).toBe(login);
    await expect(logIn(urlWith(login, `${password}!`))).rejects.toThrow('password authentication failed');

    heard = '';
    await ensureServerLogin(heardUrl, urlWith(login, `${password} anew`));
    expect(heard).toContain(`alter role "${login}"`);
    expect(heard).not.toContain('anew');
    expect(await logIn(urlWith(login, `${password} anew`))).toBe(login);
    await expect(logIn(urlWith(login, password))).rejects.toThrow('password authentication failed');
  });

  it('what is sent in its place is no password', async () => {
    const login = `server_${randomUUID()}`;
    heard = '';
    await ensureServerLogin(heardUrl, urlWith(login, 'the real one'));
    const verifier = /SCRAM-SHA-256\$[^']+/.exec(heard)?.[0] ?? '';
    expect(verifier).toMatch(/^SCRAM-SHA-256\$4096:[\w+/=]+\$[\w+/=]+:[\w+/=]+$/);
    await expect(logIn(urlWith(login, verifier))).rejects.toThrow('password authentication failed');
  });
});
