import type { ZodApp } from './zod-app.ts';

/** Mounts one route, with the part of the resources that its handler needs. */
type Endpoint = (app: ZodApp, deps: never) => void;

/** What a list of endpoints needs together. */
export type DepsOfEndpoints<Endpoints extends readonly Endpoint[]> = Endpoints[number] extends (
  app: ZodApp,
  deps: infer Deps,
) => void
  ? Deps
  : never;
