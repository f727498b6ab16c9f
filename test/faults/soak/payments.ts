import type { Pool } from 'pg';
import { naira, type Turn } from './asked.ts';
import type { Traffic } from './clients.ts';
import { atLeastOne, untilNone, type Verdict } from './verdict.ts';

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
