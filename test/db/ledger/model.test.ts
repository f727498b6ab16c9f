import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sql } from '#drizzle';
import type { Tx } from '#lib/postgres/executor.ts';
import { listed, repetitions } from '../../support/cases.ts';
import { checkLedger, useLedger } from '../../support/ledger.ts';
import { copyState, modelState, openCopy, openModel, send } from '../../support/ledger-copy.ts';
import { LedgerModel, type ModelOutcome } from '../../support/ledger-model.ts';
import { anyStep, movements, opening, postingsOf, take } from './model-steps.ts';

/**
 * When this fails, fast-check prints `{ seed: …, path: "…", endOnFailure: true }`: put it here, and this very sequence
 * runs again, alone.
 */
const REPLAY: fc.Parameters<unknown> = {};

const RUNS = repetitions({ short: 12, soak: 400 });
/** The rarest outcome is in one sequence of eight: in so many it is not missing by chance. */
const RUNS_MAX = 400 + RUNS;
/** A failure is made smaller until so long after the beginning; then it is printed. */
const SHRINK_MS = 240_000;
const FUNDING = 50_000n;
/** What a posting can come to, save for one that names what there is not. */
const OUTCOMES = listed`
  BALANCE_EXCEEDED | HOLD_EXCEEDED | HOLD_EXPIRED | HOLD_NOT_OPEN | INSUFFICIENT_FUNDS | LIMIT_EXCEEDED
  Pending | REFERENCE_REUSED | REFUND_EXCEEDS | SPLIT_OVERPAYMENT | Successful | TRANSACTION_NOT_REFUNDABLE
  TRANSACTION_NOT_REVERSIBLE | WALLET_BLOCKED | WALLET_PNC | WALLET_PND
`;

const ledger = useLedger(4);

it('the ledger does what the model does, in one call, in calls of their own and one by one', async () => {
  const seen = new Set<string>();
  const unseen = () => OUTCOMES.filter((outcome) => !seen.has(outcome));
  const sequence = fc.array(anyStep, { minLength: 1, maxLength: 60, size: 'max' });
  const property = fc.asyncProperty(sequence, async (steps) => {
    const { db } = ledger;
    const model = new LedgerModel();
    openModel(model, FUNDING);
    const ways = ['together', 'apart', 'one by one'] as const;
    const copies = await Promise.all(ways.map((way) => openCopy(db, way, FUNDING)));
    for (const step of [opening, ...steps]) {
      const { expected, answers } = await take({ db, model, copies }, step);
      for (const [at, answer] of answers.entries())
        expect({ way: ways[at], answer }).toEqual({ way: ways[at], answer: expected });
      const stands = await Promise.all(copies.map((copy) => copyState(db, copy, model.now)));
      expect([step, ...stands]).toEqual([step, ...ways.map(() => modelState(model))]);
      if (step.do === 'post') for (const { outcome } of expected as ModelOutcome[]) seen.add(outcome);
    }
  });
  for (let runs = 0; runs === 0 || (unseen().length > 0 && runs < RUNS_MAX); runs += RUNS) {
    await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: SHRINK_MS, ...REPLAY });
  }
  expect(unseen()).toEqual([]);
  expect(await checkLedger(ledger.db)).toMatchObject({ ok: true });
});

/** How many postings this connection has taken one by one, since some moment. */
async function takenOneByOne(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ calls: string | null }>(
    sql`select pg_stat_get_xact_function_calls(oid) as calls from pg_proc where proname = 'post_one'`,
  );
  return Number(rows[0]?.calls ?? 0);
}

it('a batch in one call is the same postings one by one, and goes at once when none of them is refused', async () => {
  let atOnce = 0;
  const property = fc.asyncProperty(fc.array(movements, { minLength: 1, maxLength: 6 }), async (batches) => {
    const model = new LedgerModel();
    openModel(model, FUNDING);
    const ways = ['together', 'apart', 'one by one'] as const;
    const copies = await Promise.all(ways.map((way) => openCopy(ledger.db, way, FUNDING)));
    for (const specs of [opening.batch, ...batches]) {
      const batch = postingsOf(specs, model);
      const expected = batch.map((posting) => model.post(posting));
      const plain = expected.every(({ outcome }) => outcome === 'Successful');
      if (plain) atOnce += 1;
      for (const copy of copies) {
        const { outcomes, calls } = await ledger.db.transaction(async (tx) => {
          await tx.execute(sql`set local track_functions = 'pl'`);
          const before = await takenOneByOne(tx);
          const sent = await send(tx, copy, batch, model.now);
          return { outcomes: sent, calls: (await takenOneByOne(tx)) - before };
        });
        const oneByOne = copy.way === 'one by one' ? batch.length + 1 : calls;
        expect({ copy, outcomes, calls }).toEqual({
          copy,
          outcomes: expected,
          calls: copy.way === 'together' ? (plain ? 0 : batch.length) : oneByOne,
        });
        expect([copy, await copyState(ledger.db, copy, model.now)]).toEqual([copy, modelState(model)]);
      }
    }
  });
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: SHRINK_MS, ...REPLAY });
  expect(atOnce).toBeGreaterThan(RUNS / 2);
  expect(await checkLedger(ledger.db)).toMatchObject({ ok: true });
});
