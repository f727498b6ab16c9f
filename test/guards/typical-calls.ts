import { randomUUID } from 'node:crypto';
import { beforeAll } from 'vitest';
import type { GoodRequests } from '../http/every-operation/good-requests.ts';
import { goodRequestsOfPartners } from '../http/every-operation/good-requests-partner.ts';
import { goodRequestsOfSandbox } from '../http/every-operation/good-requests-sandbox.ts';
import { goodRequestsOfSso } from '../http/every-operation/good-requests-sso.ts';
import { goodRequestsOfSwitch } from '../http/every-operation/good-requests-switch.ts';
import { plainRequestsOfOperator } from '../http/every-operation/plain-requests-operator.ts';
import { plainRequestsOfPartners } from '../http/every-operation/plain-requests-partner.ts';
import { plainRequestsOfSso } from '../http/every-operation/plain-requests-sso.ts';
import { plainRequestsOfSwitch } from '../http/every-operation/plain-requests-switch.ts';
import type { TestApp } from '../support/app.ts';
import { type Counted, countedIn } from '../support/count-statements.ts';

/** What servers are given whose statements are counted. */
export const COUNTED_SETTINGS = { APPROVAL_ABOVE: '1000000', RATE_LIMIT_CALLS_PER_S: '1000000' };

interface TypicalCall {
  /** So long after what was asked before. */
  aheadMs?: number;
  /** With an Idempotency-Key that nobody has used. */
  isKeyed?: boolean;
}

/**
 * Makes a good request of every operation, before the tests of a file.
 *
 * @returns what an operation, as a document names it, asks of PostgreSQL to answer such a request
 */
export function useTypicalCalls(server: TestApp): (operation: string, given?: TypicalCall) => Promise<Counted> {
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

  return async (operation, { aheadMs = 0, isKeyed = false } = {}) => {
    const made = await good[operation]?.('', undefined);
    if (made === undefined) throw new Error(`${operation} has no good request`);
    const { url, headers, query = {}, body } = made;
    const parameters = Object.entries(query).map(([name, value]) => [name, String(value)]);
    const whole = parameters.length === 0 ? url : `${url}?${new URLSearchParams(parameters).toString()}`;
    const method = operation.split(' ')[0] as Parameters<TestApp['call']>[0];
    server.clock.advance(aheadMs);
    const sent = isKeyed ? { ...headers, 'idempotency-key': randomUUID() } : headers;
    const { result, ...counted } = await countedIn(() =>
      server.call(method, whole, { headers: sent, ...(body === undefined ? {} : { payload: body }) }),
    );
    if (result.statusCode >= 400) throw new Error(`${operation} answered ${result.statusCode}: ${result.body}`);
    return counted;
  };
}
