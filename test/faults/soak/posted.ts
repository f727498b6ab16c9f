import type { Pool } from 'pg';
import type { Traffic } from './clients.ts';
import { atLeastOne, type Verdict } from './verdict.ts';

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
