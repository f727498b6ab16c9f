import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

/** An instance whose routes are typed by their zod shapes. */
export type ZodApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** Mounts one route, with what its handler needs. */
type Endpoint = (app: ZodApp, deps: never, ...rest: never[]) => void;

/** The dependencies of all endpoints of a list. */
export type DepsOfEndpoints<Endpoints extends readonly Endpoint[]> = Endpoints[number] extends (
  app: ZodApp,
  deps: infer Deps,
  ...rest: never[]
) => void
  ? Deps
  : never;
