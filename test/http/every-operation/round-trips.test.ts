import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { documentUrls, operationsOf, readDocument } from '../../support/described.ts';
import { type Bound, bounds } from './bounds.ts';
import { type Counted, useCounting } from './count-statements.ts';
import { beyondTheRules, exceptions, money } from './rules.ts';
import { COUNTED_SETTINGS, useTypicalCalls } from './typical-calls.ts';

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
  expect(beyondTheRules().toSorted()).toEqual(Object.keys(exceptions).toSorted());
});

/** A call may be the first to read what is then held, e.g. a partner's keys, or after notice came that it has changed: not one after the other. */
const CALLS_MAX = 5;

const isWithin = ({ statements, roundTrips }: Counted, [statementsMax, roundTripsMax]: Bound): boolean =>
  statements.length <= statementsMax && roundTrips <= roundTripsMax;

async function takenBy(operation: string, bound: Bound): Promise<Counted> {
  for (let call = 1; ; call += 1) {
    const taken = await ask(operation);
    if (call === CALLS_MAX || isWithin(taken, bound)) return taken;
  }
}

it.each(Object.entries(bounds))('%s takes no more than its bound', async (operation, bound) => {
  const taken = await takenBy(operation, bound);
  const { statements, roundTrips } = taken;
  const row = `'${operation}': [${statements.length}, ${roundTrips}],`;
  expect(isWithin(taken, bound), `it takes ${row}\n${statements.join('\n')}`).toBe(true);
});
