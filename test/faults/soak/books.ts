import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import type { Pool } from 'pg';
import { queryAs } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { A_DAY_BEFORE } from '../../support/other-times.ts';
import { runToEnd } from '../../support/process.ts';
import { naira, type Turn } from './asked.ts';
import type { Traffic } from './clients.ts';
import { atLeastOne, untilNone, type Verdict } from './memory.ts';

/** Money comes to an account number of a wallet: the simulated bank tells of it, as by a hook. */
export const payIn: Turn = (world, by, reference, ask) => {
  const partner = by.pick(world.partners);
  const json = { nuban: by.pick(partner.numbers), amount: naira(by, 60), reference, sender: { name: 'Bola Ade' } };
  return ask({
    kind: 'payments told of',
    method: 'POST',
    path: '/v2/sandbox/payment/inbound',
    json,
    headers: () => partner.headers,
    reference,
    makes: { what: 'payment', id: reference, state: 'BOOKED' },
  });
};

/** What a provider told of is booked once, and no message of its waits or differs, whoever died with it. */
export async function paidOnce(pool: Pool, { acks }: Traffic): Promise<Verdict> {
  await untilNone(pool, `select from inbox.message where state = 'RECEIVED'`);
  const { rows } = await pool.query<{ reference: string; state: string; postings: number }>(
    `select substring(m.reference from 'soak-.*') as reference, m.state,
            (select count(*)::int from ledger.transaction t where t.type = 'INBOUND' and t.external_reference = m.reference) as postings
       from inbox.message m where m.reference like 'sandbox-%'`,
  );
  const found = new Set(rows.map(({ reference }) => reference));
  const broken = rows.flatMap(({ reference, state, postings }) =>
    state === 'BOOKED' && postings === 1 ? [] : [`${reference} is ${state}, and was posted ${postings} times`],
  );
  const booked = [...acks.said('payment')].filter(([, { told }]) => told.includes('BOOKED'));
  for (const [reference] of booked)
    if (!found.has(reference)) broken.push(`${reference} was acknowledged, and is not in the inbox`);
  broken.push(...atLeastOne(booked.length, 'payment was acknowledged'));
  const looked = `${rows.length} messages, ${booked.length} of them acknowledged`;
  return { promise: 'what a provider told of is booked once', broken, looked };
}

/** What was acknowledged is there once, as it was answered; what was not is not there twice. */
export async function postedOnce(pool: Pool, { acks }: Traffic): Promise<Verdict> {
  // What gives back the money of a payout or a dispute names as external_reference what it gives back.
  const { rows } = await pool.query<{ reference: string; times: number; posted: boolean }>(
    `select case when reference like 'soak-%' then reference else external_reference end as reference,
            count(*)::int as times, bool_and(code is null) as posted
       from ledger.transaction where (reference like 'soak-%' or external_reference like 'soak-%')
        and type <> 'REVERSAL' and reference not like 'DSP-%'
      group by 1`,
  );
  const found = new Map(rows.map(({ reference, ...row }) => [reference, row]));
  let acknowledged = 0;
  const broken: string[] = [];
  for (const [reference, outcome] of acks.outcomes) {
    const row = found.get(reference);
    if (row !== undefined && row.times > 1) broken.push(`${reference} is there ${row.times} times`);
    if (outcome === 'posted') acknowledged += 1;
    if (outcome === 'posted' && row?.posted !== true) broken.push(`${reference} was acknowledged, and is not posted`);
    if (outcome === 'declined' && row?.posted === true) broken.push(`${reference} was declined, and is posted`);
  }
  broken.push(...atLeastOne(acknowledged, 'posting was acknowledged'));
  const looked = `${acknowledged} acknowledged of ${acks.outcomes.size} postings and payouts asked for`;
  return { promise: 'what was acknowledged is posted once, and nothing twice', broken, looked };
}

/** Each offer is what its sender or its receiver was told last, and moved money once when it was accepted, and never otherwise. */
export async function offersSettled(pool: Pool, { acks }: Traffic): Promise<Verdict> {
  const { rows } = await pool.query<{ reference: string; status: string; postings: number }>(
    `select x.reference, x.status, (select count(*)::int from ledger.transaction t
                                     where t.type = 'SWITCH' and t.code is null and t.external_reference = x.reference) as postings
       from tag_transactions.tag_transaction x where x.reference like 'soak-%'`,
  );
  const found = new Map(rows.map((row) => [row.reference, row.status]));
  const broken = rows.flatMap(({ reference, status, postings }) =>
    postings === (status === 'ACCEPTED' ? 1 : 0) ? [] : [`${reference} is ${status}, and was posted ${postings} times`],
  );
  for (const [reference, told] of acks.offers) {
    const status = found.get(reference) ?? 'DECLINED';
    // One that was made may have been decided since, by a call that nobody answered.
    const isAsTold = told === 'AWAITING_ACCEPTANCE' ? status !== 'DECLINED' : status === told;
    if (!isAsTold) broken.push(`${reference} was told to be ${told}, and is ${found.get(reference) ?? 'not there'}`);
  }
  const accepted = rows.filter(({ status }) => status === 'ACCEPTED').length;
  broken.push(...atLeastOne(accepted, 'offer was accepted'));
  const looked = `${rows.length} offers, ${accepted} of them accepted`;
  return { promise: 'offers are as was told, and move money once when accepted', broken, looked };
}

const paytag = async (env: Record<string, string>, ...args: string[]) =>
  runToEnd(['src/cli/paytag.js', 'ledger', ...args], env);

/**
 * Has what was posted until now, before anything goes wrong, be of the day before, and seals its hours, which are over.
 *
 * @returns the copy that an operator keeps elsewhere, one seal a line
 */
export async function sealBeforehand(ownerUrl: string, env: Record<string, string>): Promise<string> {
  await queryAs(ownerUrl, A_DAY_BEFORE);
  // A worker may be sealing at the same moment: then the command leaves it to that.
  return eventually(async () => {
    await paytag(env, 'seal');
    const { stdout } = await paytag(env, 'seals');
    if (entriesIn(stdout) === 0) throw new Error('no entry is sealed yet');
    return stdout;
  });
}

/**
 * The books are as they were sealed: all that is sealed now, and the seals of before anything went wrong.
 *
 * @param kept what `sealBeforehand` gave
 */
export async function sealsHeld(env: Record<string, string>, kept: string): Promise<Verdict> {
  await paytag(env, 'seal');
  const { stdout: now } = await paytag(env, 'seals');
  const broken = atLeastOne(entriesIn(kept), 'entry was sealed before anything went wrong');
  if (!now.startsWith(kept)) broken.push('the seals are not those of before, with later ones after them');
  const folder = await mkdtemp(join(tmpdir(), 'paytag-test-seals-'));
  try {
    for (const copy of [kept, now]) {
      const file = join(folder, 'seals.jsonl');
      await writeFile(file, copy);
      const { code, stdout, stderr } = await paytag(env, 'seal', 'verify', file);
      if (code !== 0) broken.push(stdout + stderr);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  const looked = `${sealsIn(now).length} seals of ${entriesIn(now)} entries; ${sealsIn(kept).length} of ${entriesIn(kept)} from before anything went wrong`;
  return { promise: 'the books are as they were sealed', broken, looked };
}

const sealsIn = (copy: string): string[] => copy.split('\n').filter((line) => line !== '');

/** How many entries the hours hold that are sealed. */
function entriesIn(copy: string): number {
  type Says = { contents?: { entries: { rows: number } } };
  const sealed = sealsIn(copy).map((line) => decodeJwt<Says>((JSON.parse(line) as { seal: string }).seal));
  return sealed.reduce((sum, { contents }) => sum + (contents?.entries.rows ?? 0), 0);
}

/** Guesses that are looked at before a PayTag is closed, and for how long then: half a minute, and each time twice as long. */
const FREE = 5;
const FIRST_DELAY_S = 30;

/** How many guesses are let through in so many seconds. */
const letThrough = (seconds: number): number => FREE + Math.floor(Math.log2(seconds / FIRST_DELAY_S + 1)) + 1;

/** Guesses at one password are as few as the limit says: PostgreSQL counts them, whatever becomes of Redis and of PostgreSQL itself. */
export function guessesHeld({ guesses, answers }: Traffic, seconds: number): Verdict {
  const most = letThrough(seconds);
  const refused = answers.get('guesses')?.get(429) ?? 0;
  const broken = guesses > most ? [`${guesses} guesses were looked at, and ${most} may be`] : [];
  broken.push(...atLeastOne(guesses, 'guess was looked at'), ...atLeastOne(refused, 'guess was refused'));
  const looked = `${guesses} of at most ${most} looked at, ${refused} refused`;
  return { promise: 'guesses at a password are limited', broken, looked };
}
