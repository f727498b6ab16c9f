import type { TestApp } from '../../support/app.ts';
import type { GoodRequests, GoodRequestsOf } from './good-requests.ts';
import { goodRequestsOfOperator } from './good-requests-operator.ts';
import { goodRequestsOfPartners } from './good-requests-partner.ts';
import { goodRequestsOfSandbox } from './good-requests-sandbox.ts';
import { goodRequestsOfSso } from './good-requests-sso.ts';
import { goodRequestsOfSwitch } from './good-requests-switch.ts';
import { plainRequestsOfOperator } from './plain-requests-operator.ts';
import { plainRequestsOfPartners } from './plain-requests-partner.ts';
import { plainRequestsOfSso } from './plain-requests-sso.ts';
import { plainRequestsOfSwitch } from './plain-requests-switch.ts';

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
