import type { Pool } from 'pg';
import { type Asked, adding, naira, operate, type Turn } from './asked.ts';
import type { Traffic } from './clients.ts';
import { atLeastOne, type Verdict } from './verdict.ts';

const WEEK_MS = 7 * 86_400_000;

/** What is decided of a dispute; of two at once one is too late. */
const outcomes = [['WON'], ['LOST'], ['LOST'], ['WON', 'LOST'], []] as const;

/** An operator opens a dispute about a credit, its partner answers, and the operator decides. */
export const dispute: Turn = async (world, by, reference, ask) => {
  const partner = by.pick(world.partners);
  const [decisions, isAnswered] = [by.pick(outcomes), by.chance(50)];
  const amount = naira(by, 30);
  const made = await ask({
    kind: 'partner credits',
    method: 'POST',
    path: `/v2/partner/wallet/${by.pick(partner.wallets).reference}/credit`,
    json: { amount, reference, comment: 'to be disputed' },
    headers: () => partner.headers,
    reference,
    isPosting: true,
  });
  if (made?.status !== 200) return;
  const makes = (state: string) => ({ makes: { what: 'dispute', id: reference, state } }) as const;
  const post = (kind: string, path: string, json: object): Asked =>
    adding(operate({ kind, path: `/operator/v1/disputes${path}`, json }), { 'idempotency-key': `${reference}${path}` });

  const respondBy = new Date(Date.now() + WEEK_MS).toISOString();
  const about = { partnerId: partner.id, transactionReference: reference, reason: 'not theirs', respondBy };
  const opened = await ask({ ...post('disputes opened', '', about), ...makes('OPEN') });
  if (opened?.status !== 201) return;
  const id = String(opened.body['id']);
  if (isAnswered)
    await ask({
      kind: 'disputes answered',
      method: 'POST',
      path: `/v2/partner/dispute/${id}/evidence`,
      json: { text: 'Delivered, and signed for' },
      headers: () => ({ ...partner.headers, 'idempotency-key': `${reference}-answer` }),
    });
  const decide = (outcome: 'WON' | 'LOST') => {
    const json = { outcome, reason: 'the papers say so' };
    const asked = operate({
      kind: `disputes ${outcome.toLowerCase()}`,
      path: `/operator/v1/disputes/${id}/decide`,
      json,
    });
    return ask({ ...asked, ...makes(outcome) });
  };
  await Promise.all(decisions.map(decide));
};

/** Each dispute is what its operator was told last, decided one way, and gave the money back once when it was lost, and never otherwise. */
export async function disputesDecided(pool: Pool, { acks }: Traffic): Promise<Verdict> {
  const { rows } = await pool.query<{ reference: string; state: string; refunds: number; times: number }>(
    `select t.reference, min(d.state) as state, count(*)::int as times, sum((
              select count(*) from ledger.transaction r where r.reference = 'DSP-' || d.id and r.code is null))::int as refunds
       from disputes.dispute d join ledger.transaction t on t.id = d.transaction_id
      where t.reference like 'soak-%' group by 1`,
  );
  const found = new Map(rows.map((row) => [row.reference, row]));
  const broken = rows.flatMap(({ reference, state, refunds, times }) => [
    ...(times === 1 ? [] : [`${reference} is disputed ${times} times`]),
    ...(refunds === (state === 'LOST' ? 1 : 0)
      ? []
      : [`${reference} is ${state}, and was given back ${refunds} times`]),
  ]);
  const counts = { WON: 0, LOST: 0 };
  for (const [reference, { told, asked }] of acks.said('dispute')) {
    if (told.length === 0) continue;
    const decided = (['WON', 'LOST'] as const).filter((state) => told.includes(state));
    for (const state of decided) counts[state] += 1;
    const state = found.get(reference)?.state ?? 'not there';
    const may: string[] = decided.length === 0 ? ['OPEN', ...asked] : decided;
    if (decided.length > 1 || !may.includes(state))
      broken.push(`${reference} was told to be ${told.join(', then ')}, and is ${state}`);
  }
  broken.push(...atLeastOne(counts.WON, 'dispute was won'), ...atLeastOne(counts.LOST, 'dispute was lost'));
  const looked = `${rows.length} disputes: ${counts.WON} told to be won, ${counts.LOST} lost`;
  return { promise: 'disputes are as was told, and give money back once when lost', broken, looked };
}
