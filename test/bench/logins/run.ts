import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { hash, verify } from '@node-rs/argon2';
import { Pool } from 'undici';
import { startEmbedded } from '../../../src/embedded/start-embedded.ts';
import { migrateDatabase } from '../../../src/migrate.ts';
import { clientOf, OTP_OF_THE_SIMULATOR, PASSWORD, remotePartner, ssoOf } from '../../support/client.ts';
import { serverEnv, startServer } from '../../support/process.ts';
import { median, throughput } from '../table.ts';

const ROUNDS = 5;
const CUSTOMERS = 4;
/** At once, of the partner that logs in without end: more than may wait. */
const FLOOD = 100;
/** What a refused login is told to wait. */
const RETRY_AFTER_MS = 1000;
/** At once, where one partner's rate is taken: all of them may wait. */
const CALLERS = 32;
/** Logins in one measurement. */
const count = Number(process.argv[2] ?? 200);
/** As `modules/customers/passwords.ts` hashes, with as many at once. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const hashesAtOnce = Math.max(1, Math.min(availableParallelism() - 1, 3));

const root = await mkdtemp(join(tmpdir(), 'paytag-bench-'));
const cluster = await startEmbedded(root, { shared_buffers: '256MB' });
await migrateDatabase(cluster.url('postgres'));
const limits = { RATE_LIMIT_LOGINS_PER_M: '0', LOG_LEVEL: 'error', ROLE: 'api' };
const server = await startServer({ ...serverEnv(cluster.url('postgres')), ...limits });
const pool = new Pool(server.url, { connections: FLOOD + 8, pipelining: 1 });

interface Bank {
  headers: Record<string, string>;
  /** Her customers' PayTags. */
  paytags: string[];
}

async function bankWithCustomers(letter: string): Promise<Bank> {
  const call = clientOf(server.url);
  const partner = await remotePartner(call, { name: `Bank ${letter}` });
  const sso = ssoOf(call, partner);
  const paytags: string[] = [];
  for (let n = 0; n < CUSTOMERS; n++) {
    const number = `${letter.charCodeAt(0)}${n}`.padStart(4, '0');
    const person = { bvn: `2221234${number}`, phone: `+234803123${number}`, firstName: 'Ada', lastName: 'Obi' };
    const { session } = (await sso.start({ ...person, dateOfBirth: '1990-05-17' })).body;
    await sso.sendOtp(session);
    await sso.giveOtp(session, OTP_OF_THE_SIMULATOR);
    const paytag = `${letter}${number}`;
    await sso.complete(session, { paytag, password: PASSWORD });
    paytags.push(paytag);
  }
  return { headers: partner.headers, paytags };
}

let logins = 0;
/** One login of the bank's next customer. Answers its status. */
async function logIn({ headers, paytags }: Bank): Promise<number> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/v2/sso/auth-code?scope=profile',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ paytag: paytags[logins++ % paytags.length], password: PASSWORD }),
  });
  await body.dump();
  return statusCode;
}

async function mustLogIn(bank: Bank): Promise<void> {
  const status = await logIn(bank);
  if (status !== 200) throw new Error(`a login answered ${status}`);
}

/** The median time of a login, one after another, in milliseconds. */
async function latencyOf(bank: Bank, times: number): Promise<number> {
  const taken: number[] = [];
  for (let n = 0; n < times; n++) {
    const started = performance.now();
    await mustLogIn(bank);
    taken.push(performance.now() - started);
  }
  return median(taken);
}

/** Keeps the flood going while `work` runs. Answers what it answers, and how many of the flood were refused. */
async function beside<Result>(flooder: Bank, work: () => Promise<Result>) {
  const statuses: number[] = [];
  const flooding = new AbortController();
  const flood = Array.from({ length: FLOOD }, async () => {
    while (!flooding.signal.aborted) {
      const status = await logIn(flooder);
      statuses.push(status);
      if (status === 503) await setTimeout(RETRY_AFTER_MS);
    }
  });
  const result = await work();
  flooding.abort();
  await Promise.all(flood);
  return { result, share503: statuses.filter((status) => status === 503).length / statuses.length };
}

const ratio = (value: number): string => value.toFixed(2).padStart(8);
const line = (name: string, value: string, share = ''): void =>
  console.log(`${name.padEnd(44)}${value.padStart(12)}${share}`);

try {
  const [flooder, bank] = [await bankWithCustomers('f'), await bankWithCustomers('b')];
  const passwordHash = await hash(PASSWORD, cost);
  await throughput(count, CALLERS, () => mustLogIn(flooder));
  const raw: number[] = [];
  const alone: number[] = [];
  const quiet: number[] = [];
  const flooded: number[] = [];
  const refused: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    raw.push(await throughput(count, hashesAtOnce, () => verify(passwordHash, PASSWORD)));
    alone.push(await throughput(count, CALLERS, () => mustLogIn(flooder)));
    quiet.push(await latencyOf(bank, 20));
    const { result, share503 } = await beside(flooder, () => latencyOf(bank, 20));
    flooded.push(result);
    refused.push(share503);
  }
  const ratios = (ones: readonly number[], others: readonly number[]) =>
    ratio(median(ones.map((one, round) => one / (others[round] ?? Number.NaN))));
  line(`argon2 alone, ${hashesAtOnce} at once`, `${median(raw).toFixed(1)}/s`);
  line(`logins of one partner, ${CALLERS} at once`, `${median(alone).toFixed(1)}/s`, ratios(alone, raw));
  line('a login of another, while nobody else logs in', `${median(quiet).toFixed(1)} ms`);
  line(`the same beside ${FLOOD} at once of one partner`, `${median(flooded).toFixed(1)} ms`, ratios(flooded, quiet));
  line('of that flood refused with 503', `${(100 * median(refused)).toFixed(0)} %`);
} finally {
  await pool.close();
  await server.stop();
  await cluster.stop();
  await rm(root, { recursive: true });
}
