import { expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { documentUrls, operationsOf, readDocument } from '../support/described.ts';
import { type Counted, useCounting } from '../support/plans.ts';
import {
  type Bound,
  bounds,
  COUNTED_SETTINGS,
  coldBoundOf,
  coldBounds,
  coldestBounds,
  keyedBounds,
  useTypicalCalls,
} from './bounds.ts';
import { beyondTheRules, COLD, coldExceptions, exceptions, KEYED, money, WARM } from './rules.ts';

useCounting();
const server = useApp(COUNTED_SETTINGS);
const ask = useTypicalCalls(server);

it('every operation of the documents has its bound, and nothing else has', async () => {
  const documents = await Promise.all(documentUrls.map((url) => readDocument(server, url)));
  const operations = documents.flatMap(operationsOf).map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(bounds).toSorted()).toEqual(operations.toSorted());
  expect(money.filter((operation) => !(operation in bounds))).toEqual([]);
});

it('what a credit asks is counted', async () => {
  expect((await ask('POST /v2/partner/wallet/{reference}/credit')).statements.length).toBeGreaterThan(0);
});

it('a read takes two round trips at most, and what moves money three, but for what is told with its reason', () => {
  expect(beyondTheRules(bounds, WARM).toSorted()).toEqual(Object.keys(exceptions).toSorted());
});

it('both take three at most when nothing is remembered of who calls, but for those and what is told with its reason', () => {
  const cold = Object.fromEntries(Object.keys(bounds).map((operation) => [operation, coldBoundOf(operation)]));
  const beyond = beyondTheRules(cold, COLD).filter((operation) => !(operation in exceptions));
  expect(beyond).toEqual(Object.keys(coldExceptions));
  expect(Object.keys(coldBounds).filter((operation) => !(operation in bounds))).toEqual([]);
});

it('under an Idempotency-Key what moves money takes four at most', () => {
  const theirs = money.filter((operation) => !operation.includes(' /operator/'));
  expect(Object.keys(keyedBounds).toSorted()).toEqual(theirs.toSorted());
  expect(beyondTheRules(keyedBounds, KEYED)).toEqual([]);
});

/** After this time nothing is remembered of who calls. */
const COLD_AFTER_MS = 1_500;
/** After this time no account of a wallet is remembered. */
const ACCOUNTS_COLD_AFTER_MS = 11 * 60_000;
/**
 * Notice may come that what is remembered has changed, and it is read again; and what goes out side by side may be answered one
 * by one. Neither happens at one call after the other.
 */
const CALLS_MAX = 10;

const isWithin = ({ statements, roundTrips }: Counted, [statementsMax, roundTripsMax]: Bound): boolean =>
  statements.length <= statementsMax && roundTrips <= roundTripsMax;

/** What a call took that was within the bound, or the last of several. */
async function takenBy(operation: string, bound: Bound, given?: Parameters<typeof ask>[1]): Promise<Counted> {
  for (let call = 1; ; call += 1) {
    const taken = await ask(operation, given);
    if (call === CALLS_MAX || isWithin(taken, bound)) return taken;
  }
}

const rowOf = ({ statements, roundTrips }: Counted): string =>
  `[${statements.length}, ${roundTrips}]\n${statements.join('\n')}`;

it.each(Object.entries(bounds))('%s takes no more than its bound', async (operation, bound) => {
  const taken = await takenBy(operation, bound);
  expect(isWithin(taken, bound), `it takes ${rowOf(taken)}`).toBe(true);
});

it.each(Object.keys(bounds))('%s takes no more than its cold bound when nothing is remembered', async (operation) => {
  const bound = coldBoundOf(operation);
  const taken = await takenBy(operation, bound, { aheadMs: COLD_AFTER_MS });
  expect(isWithin(taken, bound), `it takes ${rowOf(taken)}`).toBe(true);
});

it.each(Object.entries(keyedBounds))(
  '%s takes no more than its keyed bound under an Idempotency-Key',
  async (operation, bound) => {
    const taken = await takenBy(operation, bound, { isKeyed: true });
    expect(isWithin(taken, bound), `it takes ${rowOf(taken)}`).toBe(true);
  },
);

// The last of all: callers' tokens expire meanwhile.
it.each(Object.entries(coldestBounds))(
  '%s takes no more than its bound when the accounts of the wallet are not remembered either',
  async (operation, bound) => {
    const taken = await takenBy(operation, bound, { aheadMs: ACCOUNTS_COLD_AFTER_MS });
    expect(isWithin(taken, bound), `it takes ${rowOf(taken)}`).toBe(true);
    expect(bound[1]).toBeLessThanOrEqual(COLD.moneyMax);
  },
);
