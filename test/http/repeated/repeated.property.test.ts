import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Answer, type TestApp, useApp } from '../../support/app.ts';
import { brokenInvariants, leavesNothingBut } from '../../support/books.ts';
import { repetitions } from '../../support/cases.ts';
import { changes, operations } from './operations.ts';
import { newWorld, type World } from './world.ts';

const TOKENS = { APPLICATION_TOKEN_TTL_S: '86400', CUSTOMER_TOKEN_TTL_S: '86400' };
const server = useApp({ ...TOKENS, FEE_TRANSFER: '10', FEE_SWITCH: '1%', FEE_PARTNER_WALLET_DEBIT: '1' });
/** Another process on the same database, with other charges and limits. */
const dearer = useApp(
  {
    ...TOKENS,
    FEE_TRANSFER: '2%+5',
    FEE_SWITCH: '30',
    FEE_STAMP_DUTY: '7',
    FEE_PARTNER_WALLET_CREDIT: '2',
    FEE_PARTNER_GATEWAY: '50%',
    FEE_PARTNER_TERMINAL: '3',
    FEE_COMMISSION: '4',
    DAILY_LIMIT_TIER_2: '100',
  },
  server,
);

const names = Object.keys(operations);
/** What is sent before anything changes, most of it, so that little is refused for good. */
const beginnings = fc.shuffledSubarray(names, { minLength: names.length - 5 });
const stepsOf = (given: readonly string[]) => fc.record({ name: fc.constantFrom(...given), isDearer: fc.boolean() });
const steps = fc.array(
  fc.oneof({ weight: 1, arbitrary: stepsOf(names) }, { weight: 2, arbitrary: stepsOf(Object.keys(changes)) }),
  { minLength: 15, maxLength: 50 },
);

/** All of an answer but what names the answer itself. */
const answered = (answer: Answer) => ({
  ...answer.json<object>(),
  statusCode: answer.statusCode,
  timestamp: undefined,
  requestId: undefined,
});

/** Whether the reference stands for what was answered: not so where a request was refused before it was posted. */
const isKept = ({ statusCode }: Answer): boolean => statusCode < 300 || statusCode === 422;

/** The first answers that count, by what was asked. */
type Kept = Map<string, object>;

/** Sends a request: the first time to keep its answer, later to say where it differs from that. Then nothing moves. */
async function send(through: TestApp, world: World, name: string, kept: Kept): Promise<object[]> {
  const request = async () => operations[name]?.(through, world);
  const first = kept.get(name);
  const answer = first === undefined ? await request() : await leavesNothingBut(server, 0, request);
  if (answer === undefined) throw new Error(`there is no ${name}`);
  const found = answered(answer);
  if (first !== undefined) return isDeepStrictEqual(found, first) ? [] : [{ name, first, found }];
  if (isKept(answer)) kept.set(name, found);
  return [];
}

it('whatever moved money, or was declined, answers as the first time when it is sent again, and moves nothing', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(beginnings, steps, async (begun, taken) => {
      const world = await newWorld(server);
      const kept: Kept = new Map();
      const differences: object[] = [];
      for (const name of begun) await send(server, world, name, kept);
      for (const { name, isDearer } of taken) {
        const through = isDearer ? dearer : server;
        if (name in operations) differences.push(...(await send(through, world, name, kept)));
        else await changes[name]?.(through, world);
      }
      for (const name of kept.keys()) {
        seen.add(name);
        for (const through of [dearer, server]) differences.push(...(await send(through, world, name, kept)));
      }
      expect(differences).toEqual([]);
    }),
    { numRuns: repetitions({ short: 8, soak: 300 }) },
  );
  expect(await brokenInvariants(server)).toEqual([]);
  expect([...seen].toSorted()).toEqual(names.toSorted());
});
