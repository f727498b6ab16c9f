import type { TestApp } from '../../support/app.ts';

/** A request that does what its operation is for. */
export interface Good {
  url: string;
  headers: Record<string, string>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
}

/**
 * Makes a request that was not made before, where the same one again would be answered otherwise.
 *
 * @param member the one that will be left out or spoilt: what takes its place must then be there
 * @param kind which of the things that an operation does by the `type` of its body
 */
export type MakeGood = (member: string, kind: string | undefined) => Good | Promise<Good>;

/** By operation, as a document names it. */
export type GoodRequests = Record<string, MakeGood>;

/** The requests of one surface: made once the server runs. */
export type GoodRequestsOf = (server: TestApp) => Promise<GoodRequests>;
