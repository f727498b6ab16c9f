import { Pool } from 'pg';
import { clientOf } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { addTo, outcomeOf } from './acks.ts';
import { offersSettled, paidOnce, postedOnce } from './books.ts';
import type { Traffic } from './clients.ts';
import { claimsDecided, customersMade, disputesDecided } from './customers.ts';
import type { Fleet } from './fleet.ts';
import { atLeastOne, untilNone, type Verdict } from './memory.ts';
import { statementsReady } from './statements.ts';
import { DAILY_LIMIT, operator, type SoakWorld } from './world.ts';

const ATTEMPTS_MAX = 5;
const AT_ONCE = 8;

/** Holds what was promised against what there is, once nothing goes wrong any more. */
export async function holdPromises(
  ownerUrl: string,
  fleet: Fleet,
  world: SoakWorld,
  traffic: Traffic,
): Promise<Verdict[]> {
  const pool = new Pool({ connectionString: ownerUrl, max: 2 });
  try {
    const answered = await askAgain(fleet, traffic);
    return [
      {
        promise: 'every call is answered as it should be, in time',
        broken: [...traffic.complaints, ...atLeastOne(callsOf(traffic), 'call was made')],
        looked: `${callsOf(traffic)} calls`,
      },
      answered,
      await postedOnce(pool, traffic),
      await offersSettled(pool, traffic),
      await addedUp(pool, world, traffic),
      await customersMade(pool, fleet, traffic),
      await claimsDecided(pool, traffic),
      await statementsReady(pool, fleet, traffic),
      await disputesDecided(pool, traffic),
      await paidOnce(pool, traffic),
      await delivered(pool, world),
      await dailyLimits(pool),
      await books(fleet),
    ];
  } finally {
    await pool.end();
  }
}

const callsOf = ({ answers }: Traffic): number =>
  [...answers.values()].flatMap((statuses) => [...statuses.values()]).reduce((sum, times) => sum + times, 0);

/** Asks again for what moved money: what was answered is answered as it was, and what was not is done now or was done then. */
async function askAgain(fleet: Fleet, { acks }: Traffic): Promise<Verdict> {
  const broken: string[] = [];
  const left = [...acks.kept];
  const asked = left.length;
  const [origin = ''] = fleet.serving();
  const call = clientOf(origin);
  // What went wrong last may have been its database: it says when it has that again.
  await eventually(async () => {
    const { status } = await call('GET', '/health/ready');
    if (status !== 200) throw new Error(`${origin} is not ready: ${status}`);
  });
  const worker = async () => {
    for (let told = left.pop(); told !== undefined; told = left.pop()) {
      const { asked: one, outcome } = told;
      await one.caller?.logIn(call).catch(() => undefined);
      const answer = await call(one.method, one.path, { headers: one.headers(), json: one.json });
      const now = outcomeOf(answer);
      if (now !== (outcome ?? now))
        broken.push(`${one.kind} ${one.reference}: was answered ${outcome}, and now ${now}`);
      if (answer.status >= 500) broken.push(`${one.kind} ${one.reference}: ${answer.text.slice(0, 200)}`);
      if (outcome === undefined && answer.status < 300 && one.counted) addTo(acks.sums, one.counted);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  broken.push(...atLeastOne(asked, 'request was sent again'));
  return { promise: 'what was answered is answered again as it was', broken, looked: `${asked} requests sent again` };
}

/** The wallets to which nothing else happens hold what the answers add up to. */
async function addedUp(pool: Pool, { partners }: SoakWorld, { acks }: Traffic): Promise<Verdict> {
  const wallets = partners.flatMap(({ counted }) => counted.map(({ reference }) => reference));
  const { rows } = await pool.query<{ reference: string; posted: string }>(
    `select w.reference, a.posted from wallets.partner_wallet w join ledger.account a on a.id = w.account_id
      where w.reference = any ($1)`,
    [wallets],
  );
  const broken = rows.flatMap(({ reference, posted }) => {
    const sum = acks.sums.get(reference) ?? 0;
    return Number(posted) === sum ? [] : [`${reference} holds ${posted} kobo, and ${sum} were acknowledged`];
  });
  if (rows.length < wallets.length)
    broken.push(`${wallets.length - rows.length} of ${wallets.length} wallets were not found`);
  broken.push(...atLeastOne(acks.sums.size, 'movement of these wallets was acknowledged'));
  return { promise: 'wallets hold what was acknowledged', broken, looked: `${rows.length} wallets` };
}

interface Outcome {
  id: string;
  receiver: string;
  status: 'PENDING' | 'DELIVERED' | 'FAILED';
  attempts: number;
}

/** Every event was received or has failed after five attempts; nothing came more often than it was counted, or forged. */
async function delivered(pool: Pool, { receivers }: SoakWorld): Promise<Verdict> {
  await untilNone(
    pool,
    `select from webhooks.delivery d join outbox.receiver r on r.id = d.receiver_id where r.url is not null and d.status = 'PENDING'`,
  );
  const { rows: outcomes } = await pool.query<Outcome>(
    `select d.event_id as id, d.status, d.attempts, r.url as receiver from webhooks.delivery d
       join outbox.receiver r on r.id = d.receiver_id where r.url is not null`,
  );
  const broken = receivers.flatMap(({ forged }) => forged.map((id) => `${id} came with a wrong signature`));
  const byUrl = new Map(receivers.map((one) => [one.url, one]));
  const events = await pool.query<{ missing: number }>(
    `select count(*)::int as missing from outbox.event e
      where not exists (select from webhooks.delivery d where d.event_id = e.id)`,
  );
  if (events.rows[0]?.missing !== 0) broken.push(`${events.rows[0]?.missing} events have no delivery`);
  let twice = 0;
  for (const { id, status, attempts, receiver } of outcomes) {
    const { requests, accepted } = byUrl.get(receiver)?.seen.get(id) ?? { requests: 0, accepted: 0 };
    if (status === 'PENDING') broken.push(`${id} is PENDING after ${attempts} attempts`);
    if (status === 'DELIVERED' && accepted === 0) broken.push(`${id} is DELIVERED, and never came`);
    if (status === 'FAILED' && attempts < ATTEMPTS_MAX) broken.push(`${id} is FAILED after ${attempts} attempts`);
    if (attempts > ATTEMPTS_MAX || requests > ATTEMPTS_MAX)
      broken.push(`${id} was sent ${requests} times, in ${attempts} attempts`);
    if (requests > attempts) broken.push(`${id} came ${requests} times, and ${attempts} attempts are on record`);
    if (accepted > 1) twice += 1;
  }
  broken.push(...atLeastOne(outcomes.filter(({ status }) => status === 'DELIVERED').length, 'event was delivered'));
  const failed = outcomes.filter(({ status }) => status === 'FAILED').length;
  const looked = `${outcomes.length} deliveries: ${failed} failed after five attempts, ${twice} accepted more than once`;
  return { promise: 'every event came, signed, within five attempts', broken, looked };
}

/** Nobody spent more in a day than they may. */
async function dailyLimits(pool: Pool): Promise<Verdict> {
  const { rows } = await pool.query<{ id: string; spent: string; may: string }>(
    `select a.id, sum(t.amount + t.fee) as spent, a.daily_limit as may
       from ledger.account a join ledger.transaction t on t.source_id = a.id
      where a.daily_limit is not null and t.type = 'TRANSFER' and t.code is null
      group by a.id, a.daily_limit, (t.created_at at time zone 'Africa/Lagos')::date`,
  );
  const broken = rows.flatMap(({ id, spent, may }) =>
    Number(spent) > Number(may) ? [`account ${id} spent ${spent} of ${may} kobo`] : [],
  );
  broken.push(...atLeastOne(rows.length, 'customer with a limit spent anything'));
  const most = Math.max(0, ...rows.map(({ spent }) => Number(spent) / 100));
  return {
    promise: 'no daily limit is passed',
    broken,
    looked: `${rows.length} days of customers; at most ${most} of ${DAILY_LIMIT} naira spent`,
  };
}

async function books(fleet: Fleet): Promise<Verdict> {
  const [origin = ''] = fleet.serving();
  type Check = { ok: boolean; checks: { name: string; violations: number }[] };
  const { body, text } = await clientOf(origin)<Check>('GET', '/operator/v1/ledger/check', { headers: operator });
  const checks = body.checks ?? [];
  const broken = checks
    .filter(({ violations }) => violations > 0)
    .map(({ name, violations }) => `${name}: ${violations}`);
  if (!body.ok && broken.length === 0) broken.push(text.slice(0, 300));
  broken.push(...atLeastOne(checks.length, 'check was made'));
  return { promise: 'the books are right', broken, looked: `${checks.length} checks` };
}
