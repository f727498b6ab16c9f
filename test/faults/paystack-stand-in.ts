/**
 * A program that stands in for Paystack's transfers, to be killed. What it has paid is on disk before anybody hears of it,
 * and it pays whatever it is asked to, also twice under one reference. Its arguments: a port, a journal and a plan.
 */
import { once } from 'node:events';
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { JournalLine, StandInPlan } from './payout-books.ts';

const [, , port, journal = '', plan = ''] = process.argv;
const fates: StandInPlan = JSON.parse(readFileSync(plan, 'utf8'));
const file = openSync(journal, 'a');
process.once('exit', () => closeSync(file));

const lines = (): JournalLine[] =>
  existsSync(journal)
    ? readFileSync(journal, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line): JournalLine => JSON.parse(line))
    : [];
const told = lines();
const write = (line: JournalLine): void => {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
  fsyncSync(file);
  told.push(line);
};
/** What happens to this visit: as the plan says, also after a death. */
const visit = <At extends keyof StandInPlan>(at: At): StandInPlan[At][number] | undefined => {
  const before = told.filter((line) => line.do === 'visit' && line.at === at).length;
  write({ do: 'visit', at });
  return fates[at][before];
};

/** Has the server that waits for an answer killed, and goes on when it is dead, or has given up waiting. */
const killServer = async (response: ServerResponse): Promise<void> => {
  const closed = once(response, 'close');
  process.stdout.write('KILL\n');
  await closed;
};
const die = async (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise<never>(() => undefined);
};
const answer = (response: ServerResponse, status: number, body: unknown): void => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
};
const refuse = (response: ServerResponse, status: number, message: string): void =>
  answer(response, status, { status: false, message });
const transfer = (reference: string, amount: number, status: string, recipient: unknown = 28) => ({
  status: true,
  message: 'Transfer retrieved',
  data: { reference, amount, status, recipient, transfer_code: `TRF_${reference}` },
});
const payeeOf = (code: string) => {
  const [, bank_code, account_number] = code.split('_');
  return { recipient_code: code, details: { bank_code, account_number } };
};

async function makeRecipient(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { bank_code: bank, account_number: account } = (await json(request)) as Record<string, string>;
  const fate = visit('recipient');
  if (fate === 'dies') await die();
  answer(response, 201, { status: true, message: 'made', data: { recipient_code: `RCP_${bank}_${account}` } });
}

async function pay(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = await json(request);
  const { reference, amount, recipient: to } = asked as { reference: string; amount: number; recipient: string };
  const fate = visit('transfer');
  if (fate === 'refuses') return refuse(response, 400, 'Recipient specified is invalid');
  if (fate === 'asked too often') return refuse(response, 429, 'Too many requests');
  if (fate === 'fails before') return answer(response, 500, '<html>');
  if (fate === 'kills before') await killServer(response);
  if (fate === 'dies before') await die();
  const status = fate === 'does not pay' ? 'failed' : 'success';
  write({ do: 'transfer', reference, amount, recipient: to, status });
  if (fate === 'sends back') write({ do: 'transfer', reference, amount, recipient: to, status: 'reversed' });
  if (fate === 'kills after') await killServer(response);
  if (fate === 'dies after') await die();
  if (fate === 'fails after') return answer(response, 500, '<html>');
  if (fate === 'says nothing') return undefined;
  if (fate === 'speaks of another') return answer(response, 200, transfer(reference, amount + 1, 'success'));
  const isLate = fate === 'pays late' || fate === 'does not pay' || fate === 'sends back';
  answer(response, 200, transfer(reference, amount, isLate ? 'pending' : status));
  if (fate === 'kills when answered') process.stdout.write('KILL\n');
  return undefined;
}

async function verify(reference: string, response: ServerResponse): Promise<void> {
  const fate = visit('verify');
  if (fate === 'kills') await killServer(response);
  if (fate === 'dies') await die();
  if (fate === 'fails') return answer(response, 502, '<html>');
  const found = told.findLast((line) => line.do === 'transfer' && line.reference === reference);
  if (found?.do !== 'transfer') return refuse(response, 404, 'Transfer not found');
  const { amount, status } = found;
  const named = fate === 'speaks of another' ? 'payout-of-another' : reference;
  answer(response, 200, transfer(named, amount, status, payeeOf(found.recipient)));
  return undefined;
}

createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://x');
  const done = pathname.startsWith('/transfer/verify/')
    ? verify(decodeURIComponent(pathname.slice('/transfer/verify/'.length)), response)
    : pathname === '/transfer'
      ? pay(request, response)
      : makeRecipient(request, response);
  done.catch(() => response.destroy());
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('READY\n'));
