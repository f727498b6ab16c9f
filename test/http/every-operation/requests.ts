import type { TestApp } from '../../support/app.ts';
import {
  type GoodRequests,
  type GoodRequestsOf,
  goodRequestsOfPartners,
  goodRequestsOfSandbox,
  goodRequestsOfSso,
  goodRequestsOfSwitch,
} from './good-requests.ts';
import { goodRequestsOfOperator } from './good-requests-operator.ts';
import {
  plainRequestsOfOperator,
  plainRequestsOfPartners,
  plainRequestsOfSso,
  plainRequestsOfSwitch,
} from './plain-requests.ts';

const good = {
  partner: goodRequestsOfPartners,
  sandbox: goodRequestsOfSandbox,
  sso: goodRequestsOfSso,
  switch: goodRequestsOfSwitch,
  operator: goodRequestsOfOperator,
} satisfies Record<string, GoodRequestsOf>;
export type Surface = keyof typeof good;
const everySurface = Object.keys(good) as Surface[];

const plain: Partial<Record<Surface, GoodRequestsOf>> = {
  partner: plainRequestsOfPartners,
  sso: plainRequestsOfSso,
  switch: plainRequestsOfSwitch,
  operator: plainRequestsOfOperator,
};

async function made(server: TestApp, makers: readonly (GoodRequestsOf | undefined)[]): Promise<GoodRequests> {
  const requests: GoodRequests = {};
  for (const make of makers) Object.assign(requests, await make?.(server));
  return requests;
}

/** Good requests of all operations of some surfaces that take something optional. */
export const goodRequests = (server: TestApp, surfaces: readonly Surface[] = everySurface): Promise<GoodRequests> =>
  made(
    server,
    surfaces.map((surface) => good[surface]),
  );

/** Good requests of the others, and of those that change something once. */
export const plainRequests = (server: TestApp, surfaces: readonly Surface[] = everySurface): Promise<GoodRequests> =>
  made(
    server,
    surfaces.map((surface) => plain[surface]),
  );
