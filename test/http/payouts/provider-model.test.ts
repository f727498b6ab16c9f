import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bookInbox } from '#modules/collections';
import { markPayout, sendPayouts, verifyPayout } from '#modules/payouts';
import { useApp } from '../../support/app.ts';
import { repetitions } from '../../support/cases.ts';
import { ACCOUNT } from '../../support/payouts.ts';
import { PAYSTACK_ENV, signatureOf, tell, transferMessage } from '../../support/paystack-hooks.ts';
import { UnreliableBank } from '../../support/unreliable-bank.ts';
import { changeWallet, fundedWallet } from '../../support/wallets.ts';

/**
 * When this fails, fast-check prints `{ seed: …, path: "…", endOnFailure: true }`: put it here, and this very sequence
 * runs again, alone.
 */
const REPLAY: fc.Parameters<unknown> = {};

const RUNS = repetitions({ short: 6, soak: 200 });
const SHRINK_MS = 240_000;
/** Naira; kobo. */
const FUNDING = 1_000_000;
const FEE = 1_000n;
const HOUR_MS = 3_600_000;
const ORDERED_FIRST = 10;

const server = useApp({ ...PAYSTACK_ENV, FEE_PAYOUT: '10' });
let paidInAll = 0n;
let ordered = 0;

type Row = { id: string; name: string; state: string; amount: string };
type World = Awaited<ReturnType<typeof newWorld>>;

async function newWorld(seed: number) {
  const { partner, wallet } = await fundedWallet(server, FUNDING);
  const bank = new UnreliableBank(seed, () => server.clock.now());
  const resources = { ...server.resources, payoutProvider: bank.provider };
  const rows = async (state?: string): Promise<Row[]> => {
    const all = await server.owner.query<Row>(
      'select id, provider_reference as name, state, amount from payouts.payout where wallet = $1 order by amount',
      [wallet],
    );
    return state === undefined ? all.rows : all.rows.filter((row) => row.state === state);
  };
  return { bank, resources, partner, wallet, rows, next: 0, told: [] as string[] };
}

const which = fc.nat(999);
const anyStep = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('order' as const), count: fc.integer({ min: 3, max: 10 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('carry' as const),
      workers: fc.integer({ min: 1, max: 3 }),
      afterMs: fc.integer({ min: 0, max: 120_000 }),
      deaths: fc.integer({ min: 0, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: HOUR_MS }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('freeze' as const), status: fc.constantFrom('PND', 'Blocked', 'Enabled') }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('send back' as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('tell' as const), which, isForged: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mark' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('verify' as const), which }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer One> ? One : never;

async function order(world: World, count: number): Promise<void> {
  const { partner, wallet } = world;
  const wanted = Array.from({ length: count }, () => {
    world.next += 1;
    return { amount: (10_000 + world.next) / 100, reference: `payout-${world.next}`, ...ACCOUNT };
  });
  const send = async (payload: object) =>
    server.call('POST', `/v2/partner/wallet/${wallet}/payout`, { headers: partner.headers, payload });
  await Promise.all([...wanted, ...wanted.slice(0, 1)].map(send)); // one of them twice
}

/** A run of several workers at once, of which some die before they have written down what they were answered. */
async function carry({ resources }: World, workers: number, deaths = 0): Promise<void> {
  let left = deaths;
  const transact: typeof resources.transact = async (work) => {
    if (left-- > 0) throw new Error('the worker died');
    return resources.transact(work);
  };
  const runs = Array.from({ length: workers }, async () => sendPayouts({ ...resources, transact }));
  await Promise.all([...runs, bookInbox(resources)]);
}

/** Tells what the bank would, the oldest and the newest alike, and again; and what was not told by the bank. */
async function tellOne({ bank, told }: World, at: number, isForged: boolean): Promise<void> {
  const message = bank.toTell[at % Math.max(1, bank.toTell.length)];
  if (message === undefined) return;
  const body = transferMessage(message.what, message);
  if (isForged) {
    const other = transferMessage(message.what === 'failed' ? 'success' : 'failed', message);
    expect((await tell(server, other, signatureOf(body))).statusCode).toBe(401);
    expect((await tell(server, body.slice(0, -1), signatureOf(body))).statusCode).toBe(401);
    return;
  }
  told.push(body);
  expect((await tell(server, body)).statusCode).toBe(200);
}

async function take(world: World, step: Step): Promise<void> {
  const { bank, resources, wallet } = world;
  switch (step.do) {
    case 'order':
      return order(world, step.count);
    case 'carry':
      server.clock.advance(step.afterMs);
      return carry(world, step.workers, step.deaths);
    case 'wait':
      server.clock.advance(step.ms);
      return undefined;
    case 'freeze':
      await changeWallet(server, wallet, { status: step.status });
      return undefined;
    case 'send back':
      return bank.sendBack(step.which);
    case 'tell':
      return tellOne(world, step.which, step.isForged);
    case 'mark': {
      const unknown = await world.rows('UNKNOWN');
      const row = unknown[step.which % Math.max(1, unknown.length)];
      if (row === undefined) return undefined;
      const status = bank.lookUp(row.name) ?? 'failed';
      const outcome = status === 'failed' ? 'FAILED' : 'SUCCESSFUL';
      await markPayout(resources, { id: row.id, outcome, reason: 'the bank says so', actor: 'two operators' });
      return undefined;
    }
    default: {
      const open = (await world.rows()).filter(({ state }) => ['SENT', 'UNKNOWN', 'SUCCESSFUL'].includes(state));
      const row = open[step.which % Math.max(1, open.length)];
      if (row !== undefined) await verifyPayout(resources, { id: row.id, actor: 'an operator' });
      return undefined;
    }
  }
}

/** Everybody is well again: until nothing is under way any more, and the bank has told all it has to tell, twice. */
async function settle(world: World): Promise<void> {
  world.bank.isHonest = true;
  await changeWallet(server, world.wallet, { status: 'Enabled' });
  for (const at of [...world.bank.toTell.keys(), ...world.bank.toTell.keys()].toReversed()) {
    await tellOne(world, at, false);
  }
  for (let round = 0; round < 60; round++) {
    server.clock.advance(HOUR_MS);
    await carry(world, 1);
    const { rows } = await server.owner.query(
      `select from payouts.payout where wallet = $1 and due_at is not null
        union all select from inbox.message where due_at is not null limit 1`,
      [world.wallet],
    );
    if (rows.length === 0) return;
  }
  throw new Error('it does not come to an end');
}

async function assertTied({ bank, rows, wallet }: World): Promise<void> {
  expect(bank.askedAgain).toEqual([]);
  let left = BigInt(FUNDING) * 100n;
  for (const { name, state, amount } of await rows()) {
    const status = bank.of(name)?.status ?? 'failed';
    const expected = { failed: 'FAILED', paid: 'SUCCESSFUL', reversed: 'REVERSED' }[status];
    expect({ amount, state }).toEqual({ amount, state: expected });
    if (status !== 'paid') continue;
    left -= BigInt(amount) + FEE;
    paidInAll += BigInt(amount);
  }
  ordered += (await rows()).length;
  const { rows: balances } = await server.owner.query(
    `select a.posted, a.suspended from ledger.account a join wallets.partner_wallet w on w.account_id = a.id
      where w.reference = $1`,
    [wallet],
  );
  expect(balances).toEqual([{ posted: String(left), suspended: '0' }]);
}

it('what a bank that answers late, twice, never, wrongly and out of order has paid is what the books say', async () => {
  const steps = fc.array(anyStep, { minLength: 20, maxLength: 60, size: 'max' });
  const property = fc.asyncProperty(fc.nat(), steps, async (seed, taken) => {
    const world = await newWorld(seed);
    await order(world, ORDERED_FIRST); // a wallet may be frozen before anything else, and takes no orders then
    for (const step of taken) await take(world, step);
    await settle(world);
    await assertTied(world);
  });
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: SHRINK_MS, ...REPLAY });

  const { rows } = await server.owner.query(
    `select sum(e.amount) as clearing from ledger.entry e join ledger.account a on a.id = e.account_id
      where a.kind = 'CLEARING_PAYOUT'`,
  );
  expect(rows).toEqual([{ clearing: String(paidInAll) }]);
  expect(ordered).toBeGreaterThanOrEqual(ORDERED_FIRST * RUNS);
  const { checks } = (await server.operate('GET', '/ledger/check')).json();
  expect(checks.filter(({ violations }: { violations: number }) => violations > 0)).toEqual([]);
});
