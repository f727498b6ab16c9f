import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyWebhook } from 'paytag/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientOf, remotePartner } from '../../support/client.ts';
import { useDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { serverEnv, startProgram } from '../../support/process.ts';
import { useReceiver } from '../../support/receiver.ts';
import { type ServedHere, serveHere } from '../../support/served.ts';

const database = useDatabase();
const BEFORE = 'http://127.0.0.1:9/before';
const app = useReceiver();
let server: ServedHere;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paytag-listen-'));
  server = await serveHere(serverEnv(database.url));
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A partner, and `paytag listen` for it, once it listens. */
async function listening(args: string[]) {
  const call = clientOf(server.url);
  const partner = await remotePartner(call, { name: 'Acme', webhookUrl: BEFORE });
  const { clientId, webhookSecret, headers } = partner;
  const file = join(folder, `${clientId}.json`);
  await writeFile(file, JSON.stringify({ clientId, apiKey: partner.apiKey, webhookSecret }));
  const program = await startProgram(['src/cli/paytag.js', 'listen', '--credentials', file, ...args], {
    ...serverEnv(database.url),
    PORT: String(server.port),
  });
  const urlNow = async () => (await call<{ url: string }>('GET', '/v2/partner/webhook', { headers })).body.url;
  await eventually(async () => {
    if (!program.stdout.includes('Ctrl-C')) throw new Error(program.stdout);
  });
  const lines = () => program.stdout.trimEnd().split('\n');
  return {
    partner,
    program,
    lines,
    urlNow,
    send: (event: string) => call('POST', '/v2/sandbox/events', { headers, json: { event } }),
    /** The line that says so, once it is there. */
    line: (pattern: RegExp) =>
      eventually(() => {
        const found = lines().find((one) => pattern.test(one));
        if (found === undefined) throw new Error(`no line is like ${pattern}:\n${program.stdout}`);
        return found;
      }),
  };
}

it('prints each webhook verified, passes its bytes and headers on, answers what that answers, and puts the URL back at SIGTERM', async () => {
  app.answer([503, 200]);
  const { partner, program, send, line, urlNow } = await listening(['--forward-to', app.url]);
  expect(await urlNow()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/paytag-listen$/);
  await send('wallet.credited');
  await line(/^✓ {2}wallet\.credited {2}sandbox-\w+ {2}1500\.5 {2}→ 503$/);
  await line(/^✓ {2}wallet\.credited {2}sandbox-\w+ {2}1500\.5 {2}→ 200$/);
  for (const { body, headers } of app.requests) {
    const { clientId, webhookSecret: secret } = partner;
    expect(verifyWebhook({ body, headers, clientId, secret }).event).toBe('wallet.credited');
  }
  const { code, stderr } = await program.kill('SIGTERM');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(await urlNow()).toBe(BEFORE);
});

it('says what does not verify and what cannot be passed on, and puts the URL back at SIGINT', async () => {
  const { program, urlNow, line } = await listening([]);
  const url = await urlNow();
  const forged = await fetch(url, { method: 'POST', body: '{"event":"wallet.credited","reference":"x","data":{}}' });
  expect(forged.status).toBe(400);
  await line(/^✗ {2}wallet\.credited {2}x {2}→ 400 {2}R-Signature does not match the body$/);
  expect((await program.kill('SIGINT')).code).toBe(0);
  expect(await urlNow()).toBe(BEFORE);

  const nowhere = await listening(['--forward-to', 'http://127.0.0.1:9/']);
  await nowhere.send('wallet.debited');
  await nowhere.line(/^✓ {2}wallet\.debited {2}\S+ {2}-1500\.5 {2}→ 502 {2}\S/);
  await nowhere.program.kill('SIGTERM');
});
