import { beforeAll, describe, expect, it } from 'vitest';
import { signNames } from '#modules/enquiries';
import { sealDue } from '#modules/seals';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { askedFunding } from '../../support/approvals.ts';
import { importOf } from '../../support/bank-files.ts';
import { endAll, partnerWithEvents } from '../../support/deliveries.ts';
import { inDays, newDispute } from '../../support/disputes.ts';
import { unknownPayment } from '../../support/inbound.ts';
import { newOperator } from '../../support/operators.ts';
import { unknownPayout } from '../../support/payouts.ts';
import { PAYSTACK_KEY } from '../../support/paystack-hooks.ts';
import { useStandIn } from '../../support/provider.ts';
import { waitingPayment } from '../../support/suspense.ts';
import { loggedIn } from '../../support/wallets.ts';

const INBOUND = { INBOUND_PROVIDER: 'paystack', INBOUND_PAYSTACK_SECRET_KEY: PAYSTACK_KEY };
const standIn = useStandIn();
const server = useApp(() => ({ APPROVAL_ABOVE: '1000', ...INBOUND, INBOUND_PAYSTACK_URL: standIn.origin }));

type Name = (typeof signNames)[number];
interface Sign {
  name: Name;
  state: string;
  count?: number;
  amount?: number;
  since?: string;
  where?: string;
}
interface Told {
  signs: Sign[];
  floats: object[];
  providers: { state: string }[];
}
let told: Told;
const signOf = (name: Name): Sign => {
  const found = told.signs.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no sign ${name}`);
  return found;
};
const listOf = async <Item = Record<string, unknown>>(name: Name) => {
  const answer = await server.operate('GET', String(signOf(name).where));
  expect(answer.statusCode).toBe(200);
  return answer.json<{ items: Item[]; count: number; countIsExact?: false }>();
};
const planted = (statement: string, values: unknown[] = []) => server.owner.query(statement, values);

/** Of each sign several rows, and beside them such as it does not count. */
beforeAll(async () => {
  await planted(`insert into installation.stamp (environment, master_key_fingerprint, created_at)
    values ('sandbox', 'x', now() - interval '3 hours')`);
  await sealDue(server.resources);
  const finance = await newOperator(server, 'finance');
  for (const _ of [1, 2]) await askedFunding(server, finance);
  const rejected = await askedFunding(server, finance);
  await server.operate('POST', `/approvals/${rejected.id}/reject`, { reason: 'no' });

  for (const _ of [1, 2, 3]) await unknownPayout(server);
  await planted(
    `update payouts.payout set contradiction = 'NOT_FOUND' where id = (select min(id::text)::uuid from payouts.payout)`,
  );
  for (const amount of [70.5, 0.5]) await waitingPayment(server, await server.newPartner(), amount);
  for (const _ of [1, 2]) await unknownPayment(server);
  const dismissed = await unknownPayment(server);
  await server.operate('POST', `/inbox/${dismissed}/dismiss`, { reason: 'seen' });

  const lines = [1, 2].map((one) => ({ day: '2026-11-19', amount: 500n, reference: `theirs-${one}` }));
  const imported = await server.operate('POST', '/reconciliation/imports', importOf('TERMINAL', 'CSV', lines));
  await planted(
    `insert into reconciliation.item (rail, status, import_id, transaction_id, our_day, our_amount, created_at, updated_at)
      select 'GATEWAY', 'OURS_ALONE', $1, id, current_date, 500, now(), now() from ledger.transaction order by id limit 2`,
    [imported.json<{ id: string }>().id],
  );
  await newDispute(server, { respondBy: inDays(server, 0.5) });
  await newDispute(server);
  const { id: decided } = await newDispute(server, { respondBy: inDays(server, 0.4) });
  await server.operate('POST', `/disputes/${decided}/decide`, { outcome: 'WON', decision: 'it was theirs' });
  const waiting = [await newApplication(server), await newApplication(server)].map(
    ({ applicationId }) => applicationId,
  );
  await newApplication(server);
  await planted(`update applications.application set status = 'PENDING' where id = any($1::uuid[])`, [waiting]);

  await partnerWithEvents(server);
  await endAll(server.resources.pool, 'status 503');
  await partnerWithEvents(server);
  await endAll(server.resources.pool, null);
  await planted(`update webhooks.delivery set created_at = created_at - interval '2 days'
    where id = (select id from webhooks.delivery where status = 'FAILED' order by id limit 1)`);
  const { partner: failing } = await partnerWithEvents(server);
  const { partner: paused } = await partnerWithEvents(server);
  await server.operate('POST', `/receivers/${paused.id}/pause`, { reason: 'they asked' });
  await planted(
    `insert into webhooks.breaker (receiver_id, failures, failing_since, last_failed_at, openings, open_until)
      select id, 7, now(), now(), 1, now() + interval '1 minute' from outbox.receiver where owner_id = $1`,
    [failing.id],
  );

  const low = await server.newPartner({ float: 100 });
  await planted(
    `insert into books.partner_day_total (partner_id, day, kind, currency, type, debits, credits, movements)
     select $1, current_date - n, 'FLOAT', 'NGN', 'TRANSFER', 50000, 0, 1 from generate_series(2, 4) n`,
    [low.id],
  );
  const { paytag } = await loggedIn(server, low);
  for (let guess = 0; guess < 6; guess += 1) {
    const payload = { paytag, password: 'guessed-1', codeChallenge: 'x'.repeat(43) };
    await server.call('POST', '/v2/sso/auth-code', { headers: low.headers, payload });
  }
  standIn.receiver.answer(() => ({ status: 503, body: '{}' }));
  await server.operate('GET', '/rails');
  await server.operate('GET', '/ledger/check');
  await planted(`update integrity.run set ok = false, results = (
    select jsonb_agg(case when at < 3 then one || '{"violations": 2}' else one || '{"violations": 0}' end)
      from jsonb_array_elements(results) with ordinality x(one, at))`);
  told = (await server.operate('GET', '/overview')).json<Told>();
});

/** The overview itself, the books and limits, each by what it counts; of all others the length of the list. */
const others: Partial<Record<Name, (name: Name) => Promise<number> | number>> = {
  FLOATS_LOW: () => told.floats.length,
  PROVIDERS_DOWN: () => told.providers.filter(({ state }) => state === 'DOWN').length,
  BOOKS_CHECKED: async () => {
    const answer = await server.operate('GET', String(signOf('BOOKS_CHECKED').where));
    const { checks } = answer.json<{ checks: { violations: number }[] }>();
    return checks.filter(({ violations }) => violations > 0).length;
  },
};

/** @throws Error where a list says that it has another number of items than it has */
async function lengthOf(name: Name): Promise<number> {
  const { items, count } = await listOf(name);
  if (items.length !== count) throw new Error(`${name}: ${items.length} items of ${count}`);
  return count;
}

describe('each number of the overview leads to exactly what it counts', () => {
  const counted = signNames.filter((name) => name !== 'BOOKS_SEALED');

  it.each(counted)('%s', async (name) => {
    const { count = 0, state } = signOf(name);
    expect(['WAITS', 'WRONG']).toContain(state);
    expect(count).toBeGreaterThan(0);
    expect(await (others[name] ?? lengthOf)(name)).toEqual(count);
  });

  it('IN_SUSPENSE also by its amount', async () => {
    const { items } = await listOf<{ amount: number }>('IN_SUSPENSE');
    expect(items.reduce((sum, { amount }) => sum + amount, 0)).toBe(signOf('IN_SUSPENSE').amount);
  });

  it('BOOKS_SEALED tells when the newest seal ends', async () => {
    const { items } = await listOf<{ endsAt: string }>('BOOKS_SEALED');
    expect(items[0]?.endsAt).toBe(signOf('BOOKS_SEALED').since);
  });
});

it('what the books were last found to be is told without checking them, what is broken first', async () => {
  const runs = async () => (await planted('select count(*)::int as runs from integrity.run')).rows;
  const before = await runs();
  const { ok, checks } = (await server.operate('GET', '/ledger/check?last=true')).json();
  expect(ok).toBe(false);
  expect(checks.map(({ violations }: { violations: number }) => violations)).toEqual([
    2,
    2,
    ...Array(checks.length - 2).fill(0),
  ]);
  expect(checks[0].promise).toEqual(expect.stringMatching(/\w/));
  expect(await runs()).toEqual(before);
});
