import { beforeAll, expect, it } from 'vitest';
import { type TestApp, useApp } from '../../support/app.ts';
import { documentUrls, operationsOf, readDocument } from '../../support/described.ts';
import { type Bound, bounds } from './bounds.ts';
import { type Counted, countedIn, useCounting } from './count-statements.ts';
import type { GoodRequests } from './good-requests.ts';
import { goodRequestsOfPartners } from './good-requests-partner.ts';
import { goodRequestsOfSandbox } from './good-requests-sandbox.ts';
import { goodRequestsOfSso } from './good-requests-sso.ts';
import { goodRequestsOfSwitch } from './good-requests-switch.ts';
import { plainRequestsOfOperator } from './plain-requests-operator.ts';
import { plainRequestsOfPartners } from './plain-requests-partner.ts';
import { plainRequestsOfSso } from './plain-requests-sso.ts';
import { plainRequestsOfSwitch } from './plain-requests-switch.ts';
import { beyondTheRules, exceptions, money } from './rules.ts';

useCounting();
const server = useApp({ APPROVAL_ABOVE: '1000000', RATE_LIMIT_CALLS_PER_S: '1000000' });
const good: GoodRequests = {};

beforeAll(async () => {
  const surfaces = [
    goodRequestsOfPartners,
    goodRequestsOfSandbox,
    goodRequestsOfSso,
    goodRequestsOfSwitch,
    plainRequestsOfPartners,
    plainRequestsOfSso,
    plainRequestsOfSwitch,
    plainRequestsOfOperator,
  ];
  for (const surface of surfaces) Object.assign(good, await surface(server));
  server.clock.stop(); // what is read anew each second is read once, however slow the machine
});

/** What an operation asks of PostgreSQL to answer a good request. */
async function ask(operation: string): Promise<Counted> {
  const made = await good[operation]?.('', undefined);
  if (made === undefined) throw new Error(`${operation} has no good request`);
  const { url, headers, query = {}, body } = made;
  const parameters = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const whole = parameters.length === 0 ? url : `${url}?${new URLSearchParams(parameters).toString()}`;
  const method = operation.split(' ')[0] as Parameters<TestApp['call']>[0];
  const { result, ...counted } = await countedIn(() =>
    server.call(method, whole, { headers, ...(body === undefined ? {} : { payload: body }) }),
  );
  if (result.statusCode >= 400) throw new Error(`${operation} answered ${result.statusCode}: ${result.body}`);
  return counted;
}

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
