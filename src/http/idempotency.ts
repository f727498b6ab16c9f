import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { DepsOf } from '#lib/deps-of.ts';
import { DomainError } from '#lib/domain-error.ts';
import { runAs } from '#lib/postgres/transact.ts';
import { abandonRun, beginRun, type Run, storeRunAnswer } from '#modules/idempotency';
import type { ZodApp } from './zod-app.ts';

declare module 'fastify' {
  interface FastifyRequest {
    idempotentRun: Run | null;
    /** The customer behind a customer token, for the scope of Idempotency-Key. */
    customerId: string;
  }
  interface FastifyContextConfig {
    /** False where a repeated request must run again, as a login must. */
    idempotent?: boolean;
    /** The body may carry the caller's own reference, under which the operation takes effect once. */
    takesReference?: boolean;
  }
}

const KEY = /^[\x20-\x7e]{1,255}$/;
/** Headers that change what an operation does, as its body does. */
const SIGNIFICANT_HEADERS = ['x-terminal', 'prefer'] as const;
/** What a repeated request must repeat. */
function contentOf({ headers, rawBody, query }: FastifyRequest): string {
  const significant = SIGNIFICANT_HEADERS.filter((name) => headers[name] !== undefined).map(
    (name) => `${name}: ${String(headers[name])}`,
  );
  const parameters = Object.entries(query as Record<string, unknown>);
  const sorted = parameters.length === 0 ? [] : [`query: ${JSON.stringify(parameters.toSorted(byName))}`];
  return [rawBody, ...significant, ...sorted].join('\n');
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

const takesReference = (shape: unknown): boolean => {
  if (shape instanceof z.ZodUnion) return shape.options.every(takesReference);
  return shape instanceof z.ZodObject && 'reference' in shape.shape;
};

/** Whether the request carries the caller's own reference, under which it takes effect once. */
function hasReference({ body, routeOptions: { config } }: FastifyRequest): boolean {
  if (config.takesReference !== true) return false;
  const { reference } = (body ?? {}) as { reference?: unknown };
  return typeof reference === 'string' && reference.trim() !== '';
}

/** These answers are not stored: the same request may succeed next time. */
const isTransient = (status: number): boolean => status === 401 || status === 429 || status >= 500;

/** Failures that may come after a commit. After any other failure the request may run again. */
const mayFollowCommit: ReadonlySet<string> = new Set(['', 'INTERNAL_ERROR', 'STORE_UNAVAILABLE']);

/** Honours `Idempotency-Key` on the POSTs of this instance. Registered after the hooks that check credentials. */
export function honourIdempotencyKeys(app: ZodApp, deps: DepsOf<typeof beginRun>): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, takesReference: takesReference(route.schema?.body) };
  });

  // Without a key it calls back at once: an async hook would cost every request promises of its own.
  app.addHook('preValidation', (request, reply, done) => {
    const key = request.headers['idempotency-key'];
    if (request.method !== 'POST' || key === undefined || request.routeOptions.config.idempotent === false) {
      done();
      return;
    }
    beginOrReplay(request, reply, key).then((run) => run !== undefined && proceed(request, run, done), done);
  });

  /** A request with a reference takes effect once by that reference, so its transactions need not be marked with the run. */
  function proceed(request: FastifyRequest, run: Run, done: () => void): void {
    request.idempotentRun = run;
    if (hasReference(request)) done();
    else runAs(run, done);
  }

  async function beginOrReplay(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string | string[],
  ): Promise<Run | undefined> {
    if (typeof key !== 'string' || !KEY.test(key)) {
      throw new DomainError('INVALID_PARAMETER', 'Idempotency-Key: must have 1 to 255 printable ASCII characters');
    }
    const scope = {
      credential: request.credential,
      customer: request.customerId,
      method: request.method,
      operation: request.routeOptions.url ?? '',
      parameters: request.params as Record<string, string>,
      key,
    };
    const begun = await beginRun(deps, scope, {
      body: contentOf(request),
      requestId: request.id,
      route: request.routeOptions.url ?? '',
    });
    if ('runId' in begun) return begun;
    reply.header('idempotency-replayed', 'true').header('cache-control', 'no-store');
    void reply.code(begun.statusCode).type(begun.contentType).serializer(String).send(begun.body);
    return undefined;
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    const run = request.idempotentRun;
    if (run === null) {
      done(null, payload);
      return undefined;
    }
    request.idempotentRun = null;
    return endRun(run, request, reply, payload);
  });

  /** The answer is sent even when it cannot be stored: a repeat then gets IDEMPOTENCY_ANSWER_LOST. */
  async function endRun<Payload>(
    run: Run,
    { errorCode, log }: FastifyRequest,
    reply: FastifyReply,
    payload: Payload,
  ): Promise<Payload> {
    const ended = isTransient(reply.statusCode)
      ? abandonRun(deps, run, { mayBeDone: mayFollowCommit.has(errorCode) })
      : storeRunAnswer(deps, run, {
          statusCode: reply.statusCode,
          contentType: String(reply.getHeader('content-type') ?? 'application/json; charset=utf-8'),
          body: typeof payload === 'string' ? payload : '',
        });
    await ended.catch((err: unknown) =>
      log.error({ event: 'idempotency.answer_lost', err }, 'an answer was not stored under its Idempotency-Key'),
    );
    return payload;
  }
}
