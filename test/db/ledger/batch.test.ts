import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sql } from '#drizzle';
import type { Tx } from '#lib/database.ts';
import { checkLedger } from '../../support/check-ledger.ts';
import { useLedger } from '../../support/ledger.ts';
import { copyState, modelState, openCopy, openModel, send } from '../../support/ledger-copy.ts';
import { LedgerModel } from '../../support/ledger-model.ts';
import { movements, opening } from '../../support/ledger-steps.ts';
import { repetitions } from '../../support/repetitions.ts';
import { postingsOf } from './ledger-postings.ts';

/** A failure prints its seed and path; put them here to run it again. */
const REPLAY: fc.Parameters<unknown> = {};

/** A failure is made smaller until so long after the beginning; then it is printed. */
const SHRINK_MS = 240_000;
const FUNDING = 50_000n;
const RUNS = repetitions({ short: 12, soak: 400 });
const ledger = useLedger(4);

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
