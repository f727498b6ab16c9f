import { randomInt } from 'node:crypto';
import { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { repetitions } from '../support/cases.ts';
import { type Client, clientOf, type RemoteCustomer, remoteCustomer, remotePartner } from '../support/client.ts';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { useMailServer } from '../support/mail-server.ts';
import { type ServerProcess, serverEnv, startServer } from '../support/process.ts';
import { type ServedHere, serveHere } from '../support/served.ts';
import { readPdf } from '../support/statements.ts';
import { type HeldTable, holdTable } from './kill-postgres.ts';

const database = useDatabase();
const mailServer = useMailServer({ lacksStarttls: true });
const workers: ServerProcess[] = [];
const held: HeldTable[] = [];
let pool: Pool;
let api: ServedHere | undefined;
let call: Client;
let ada: RemoteCustomer;
let asked = 0;
/** Statements that one worker has taken up at once. */
const ON_THEIR_WAY = 4;
const KILLS = repetitions({ short: 1, soak: 20 });

const env = () => ({
  ...serverEnv(database.url),
  EMAIL_PROVIDER: 'smtp',
  EMAIL_FROM: 'PayTag <no-reply@example.com>',
  EMAIL_SMTP_TLS: 'none',
  EMAIL_SMTP_URL: mailServer.url,
});
async function startWorker(): Promise<ServerProcess> {
  const worker = await startServer({ ...env(), ROLE: 'worker', PUBLIC_URL: api?.url ?? '' });
  workers.push(worker);
  return worker;
}

/** Kills a worker. What it had taken up stays its own, however slow this machine is, until the leases end. */
async function kill(worker: ServerProcess): Promise<void> {
  await worker.kill('SIGKILL');
  await pool.query(`update statements.requested set due_at = now() + interval '1 hour' where due_at is not null`);
}
/** Others may take up what the dead left. */
const leasesEnd = () => pool.query('update statements.requested set due_at = now() where due_at is not null');

async function hold(...what: [table: string, mode?: 'access exclusive']): Promise<HeldTable> {
  const one = await holdTable(pool, ...what);
  held.push(one);
  return one;
}

/** A statement asked for; each one begins with another day, by which its mail is known. */
async function request(): Promise<{ reference: string; day: string }> {
  const from = new Date(Date.now() - ++asked * 24 * 60 * 60 * 1000);
  const path = `/v2/sso/transaction/statement?from=${from.toISOString().slice(0, 10)}`;
  const headers = { ...ada.headers, prefer: 'respond-async' };
  const { body } = await call<{ reference: string }>('POST', path, { headers });
  const parts = { day: '2-digit', month: 'short', year: 'numeric', timeZone: 'UTC' } as const; // on any machine
  const day = new Intl.DateTimeFormat('en-GB', parts).format(from);
  return { reference: body.reference, day: day.replace('Sept', 'Sep') };
}

const mailsOf = ({ day }: { day: string }) =>
  mailServer.received.filter(({ mail }) => mail.subject?.startsWith(`Your PayTag statement, ${day} to `));
const read = async (reference: string) =>
  (await call('GET', `/v2/sso/transaction/statement/${reference}`, { headers: ada.headers })).body;

/** What a mail server does that has a whole mail, and never says that it took it. */
function hang(): { act: () => Promise<never>; reached: Promise<void> } {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  return { reached, act: () => (resolve(), new Promise<never>(() => undefined)) };
}

/** All is Ready and mailed, nothing is left to do, and the link of every mail opens her statement. */
async function expectAllMailed(statements: { reference: string; day: string }[]): Promise<void> {
  for (const { reference } of statements) {
    await eventually(async () =>
      expect(await read(reference)).toMatchObject({ status: 'Ready', mailedAt: expect.any(String) }),
    );
  }
  const { rowCount } = await pool.query('select from statements.requested where due_at is not null');
  expect(rowCount).toBe(0);
  for (const { mail } of statements.flatMap(mailsOf)) {
    const document = await fetch(/http:\S+\/statements\/\S+/.exec(mail.text ?? '')?.[0] ?? '');
    const { pages } = await readPdf(Buffer.from(await document.arrayBuffer()));
    expect(pages.at(-1)).toMatch(/Closing balance [\d.]+ [\d.]+ 75\.50/);
  }
}

beforeAll(async () => {
  pool = new Pool({ connectionString: database.ownerUrl });
  pool.on('error', () => undefined);
  api = await serveHere({ ...env(), ROLE: 'api' });
  call = clientOf(api.url);
  const partner = await remotePartner(call, { name: 'Acme', float: 100 });
  const names = { paytag: 'ada', bvn: '22212345678', firstName: 'Ada' };
  const person = { ...names, phone: '08031234567', email: 'ada@example.com' };
  ada = await remoteCustomer(call, partner, person);
  const money = { amount: 75.5, reference: 'salary' };
  await call('POST', `/v2/partner/wallet/${ada.wallet}/credit`, { headers: partner.headers, json: money });
});
afterEach(async () => {
  mailServer.meanwhile();
  await Promise.all(workers.splice(0).map((worker) => worker.kill('SIGKILL')));
  await Promise.all(held.splice(0).map((table) => table.release()));
});
afterAll(async () => {
  await api?.stop();
  await pool.end();
});

it('a worker killed with -9 at each step of a statement: another finishes it, and only a mail that had left comes again', async () => {
  const entries = await hold('ledger.entry', 'access exclusive');
  const whileRead = await request();
  let worker = await startWorker();
  await entries.waitedForBy('from ledger.entry');
  await kill(worker);
  await entries.release();
  expect(await read(whileRead.reference)).toMatchObject({ status: 'Pending' });

  const hanging = hang();
  mailServer.meanwhile(hanging.act);
  const whileMailed = await request();
  worker = await startWorker();
  await hanging.reached;
  await kill(worker);
  expect(await read(whileMailed.reference)).toMatchObject({ status: 'Ready', url: expect.any(String) });

  let table: HeldTable | undefined;
  mailServer.meanwhile(async () => {
    table = await hold('statements.requested');
  });
  const beforeItIsWritten = await request();
  worker = await startWorker();
  await eventually(() => expect(mailsOf(beforeItIsWritten)).toHaveLength(1));
  await table?.waitedForBy('update "statements"."requested"');
  await worker.kill('SIGKILL');
  await table?.refuseWaiting();
  await table?.release();
  expect(await read(beforeItIsWritten.reference)).not.toHaveProperty('mailedAt');

  mailServer.meanwhile();
  await leasesEnd();
  await startWorker();
  await expectAllMailed([whileRead, whileMailed, beforeItIsWritten]);
  expect(mailsOf(whileRead)).toHaveLength(1);
  expect(mailsOf(whileMailed)).toHaveLength(1);
  expect(mailsOf(beforeItIsWritten)).toHaveLength(2);
});

it('workers killed with -9 again and again: every statement is finished, and no mail comes again but those on their way', async () => {
  const statements = [];
  for (let count = 0; count < 4 * KILLS; count++) statements.push(await request());
  let killed = 0;
  for (; killed < KILLS; killed++) {
    let passing = randomInt(4);
    const hanging = hang();
    mailServer.meanwhile(() => (passing-- > 0 ? Promise.resolve() : hanging.act()));
    const worker = await startWorker();
    await hanging.reached;
    await kill(worker);
    await leasesEnd();
  }
  mailServer.meanwhile();
  await startWorker();
  await expectAllMailed(statements);
  const mails = statements.map((one) => mailsOf(one).length);
  expect(Math.min(...mails)).toBeGreaterThanOrEqual(1);
  expect(mails.reduce((sum, count) => sum + count - 1, 0)).toBeLessThanOrEqual(killed * ON_THEIR_WAY);
});
