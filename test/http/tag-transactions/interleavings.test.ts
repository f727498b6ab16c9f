import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maintain } from '../../../src/worker/maintenance.ts';
import { useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { repetitions } from '../../support/repetitions.ts';
import { decide, initiate, newSide, SHORT_MS, type Side, type Verb, walletTotals } from '../../support/switch.ts';

const server = useApp({ FEE_SWITCH: '1%', APPLICATION_TOKEN_TTL_S: '86400' });
const MILLION = 100_000_000;
/** 1 %, half up, in kobo. */
const feeOn = (kobo: number): number => Math.floor((kobo + 50) / 100);

type Step = { do: 'offer'; from: 0 | 1; kobo: number; isShort: boolean } | { do: Verb; which: number } | { do: 'pass' };

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('offer' as const),
        from: fc.constantFrom(0 as const, 1 as const),
        kobo: fc.integer({ min: 1, max: 60_000_000 }),
        isShort: fc.boolean(),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constantFrom('accept' as const, 'reject' as const, 'cancel' as const),
        which: fc.nat(9),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ do: 'pass' as const }) },
  ),
  { minLength: 5, maxLength: 25 },
);

/** What must come of it, in a few lines that know nothing of ledger or database. */
class Model {
  readonly total: [number, number] = [MILLION, MILLION];
  readonly held: [number, number] = [0, 0];
  readonly offers: { from: 0 | 1; kobo: number; isShort: boolean; status: string }[] = [];

  offer(from: 0 | 1, kobo: number, isShort: boolean): number {
    const needed = kobo + feeOn(kobo);
    if (this.total[from] - this.held[from] < needed) return 422;
    this.held[from] += needed;
    this.offers.push({ from, kobo, isShort, status: 'waits' });
    return 201;
  }

  decide(which: number, verb: Verb): number {
    const one = this.offers[which];
    if (one === undefined) return 404;
    if (one.status === 'expired') return 410;
    if (one.status !== 'waits') return 409;
    this.#close(which, verb);
    if (verb === 'accept') {
      this.total[one.from] -= one.kobo + feeOn(one.kobo);
      this.total[one.from === 0 ? 1 : 0] += one.kobo;
    }
    return 200;
  }

  pass(): void {
    for (const [which, { status, isShort }] of this.offers.entries()) {
      if (status === 'waits' && isShort) this.#close(which, 'expired');
    }
  }

  #close(which: number, status: string): void {
    const one = this.offers[which];
    if (one === undefined) return;
    this.held[one.from] -= one.kobo + feeOn(one.kobo);
    one.status = status;
  }
}

/** Takes a step in the world. @returns the status that is answered, and what the model says it should be */
async function take(step: Step, sides: readonly [Side, Side], ids: string[], model: Model): Promise<[number, number]> {
  if (step.do === 'pass') {
    server.clock.advance(SHORT_MS);
    model.pass();
    await maintain(server.resources);
    return [0, 0];
  }
  if (step.do === 'offer') {
    const [from, to] = [sides[step.from], sides[step.from === 0 ? 1 : 0]];
    const waitsMs = step.isShort ? SHORT_MS : 100 * SHORT_MS;
    const expiresAt = new Date(server.clock.now().getTime() + waitsMs).toISOString();
    const answer = await initiate(server, from, { receiverTag: to.tag, amount: step.kobo / 100, expiresAt });
    if (answer.statusCode === 201) ids.push(answer.json().data.id);
    return [answer.statusCode, model.offer(step.from, step.kobo, step.isShort)];
  }
  const from = model.offers[step.which]?.from ?? 0;
  const decider = sides[step.do === 'cancel' ? from : from === 0 ? 1 : 0];
  const id = ids[step.which] ?? '00000000-0000-7000-8000-000000000000';
  return [(await decide(server, decider, id, step.do)).statusCode, model.decide(step.which, step.do)];
}

it('whatever is offered, accepted, rejected, cancelled and left to expire in whatever order, wallets and holds are exact', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (story) => {
      const sides = [await newSide(server), await newSide(server)] as const;
      const model = new Model();
      const ids: string[] = [];
      for (const step of story) {
        const [answered, expected] = await take(step, sides, ids, model);
        expect(answered).toBe(expected);
        for (const side of [0, 1] as const) {
          expect(await walletTotals(server, sides[side])).toEqual({ total: model.total[side], held: model.held[side] });
        }
      }
    }),
    { numRuns: repetitions({ short: 5, soak: 150 }) },
  );
  expect(await brokenInvariants(server)).toEqual([]);
});
