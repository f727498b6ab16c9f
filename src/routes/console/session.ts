import type { FastifyReply, FastifyRequest } from 'fastify';
import { asConsole } from '#http/auth/operator.ts';
import { assertFormIsOurs, sealForm } from '#http/pages.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { DomainError } from '#lib/domain-error.ts';
import {
  type AuthenticatedOperator,
  authenticateSession,
  mayDo,
  type OperatorAuthentication,
  signOut,
} from '#modules/operators';
import { type OperatorOperation, roleOf } from './catalogue/operations.ts';
import { cookieIn, type Reached, setCookie } from './cookies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who looks at the console; null where nobody must be signed in. */
    visitor: ConsoleVisitor | null;
  }
  interface FastifyContextConfig {
    /** True for the pages of the console that nobody must be signed in for. */
    anybody?: boolean;
  }
}

/** Who looks at the console. */
export interface ConsoleVisitor {
  session: string;
  operator: AuthenticatedOperator;
  /** For the forms of the page. */
  seal: string;
  /** Whether their role reaches for an operation. */
  may: (operation: OperatorOperation) => boolean;
  /** What is called what, of all that the page names by its id. */
  names: Map<string, string>;
  /** When they look at it. */
  now: Date;
}

export type SessionDeps = OperatorAuthentication & Parameters<typeof sealForm>[0] & Reached;

/** A form is good as long as the session may be that it is of: what was typed into one is not lost to lunch. */
const FORM_MS = 8 * 60 * 60 * 1000;

/** Characters of the address that somebody goes on to after signing in. */
export const NEXT_MAX = 2000;

/** Where the console is mounted. */
export const CONSOLE = '/console';

const SESSION = 'paytag-console';

/** Gives the browser a session; without one it is taken away. */
export const setSession = (deps: SessionDeps, reply: FastifyReply, session = '', maxAgeS = 0): FastifyReply =>
  setCookie(deps, reply, { name: SESSION, value: session, maxAgeS });

const sessionIn = (deps: SessionDeps, request: FastifyRequest): string | undefined => cookieIn(deps, request, SESSION);

/** Ends the session that a browser had before it signs in anew: it forgets that one, and nobody could end it any more. */
export async function endFormerSession(deps: SessionDeps, request: FastifyRequest): Promise<void> {
  const session = sessionIn(deps, request);
  if (session !== undefined && (await known(deps, session)) !== undefined) await signOut(deps, session);
}

const sealedFor = (session: string): string => `console:${session}`;

/** Lets in whoever has signed in, and shows everybody else the way to do so. */
export function requireSession(app: ZodApp, deps: SessionDeps): void {
  app.decorateRequest('visitor', null);
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.anybody === true) return undefined;
    const session = sessionIn(deps, request);
    const operator = session === undefined ? undefined : await known(deps, session);
    if (session === undefined || operator === undefined) return toSignIn(request, reply);
    request.credential = `operator:${operator.id}`;
    request.actor = operator.actor;
    request.visitor = {
      session,
      operator,
      seal: sealForm(deps, sealedFor(session), FORM_MS),
      may: (operation) => mayDo(operator.role, roleOf(operation)),
      names: new Map(),
      now: deps.clock.now(),
    };
    return undefined;
  });
}

async function known(deps: SessionDeps, session: string): Promise<AuthenticatedOperator | undefined> {
  try {
    return await authenticateSession(deps, session);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INVALID_CREDENTIALS') return undefined;
    throw error;
  }
}

/** A page goes on, after signing in, to where it was asked for; a part of one has the browser load the whole. */
function toSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isKept = request.method === 'GET' && request.url.length <= NEXT_MAX;
  const next = isKept ? `?next=${encodeURIComponent(request.url)}` : '';
  if (request.headers['hx-request'] !== undefined) {
    return reply.code(401).header('hx-refresh', 'true').type('text/plain').send('sign in again');
  }
  return reply.redirect(`${CONSOLE}/sign-in${next}`, 303);
}

/** Who looks at a page that asks for a session. */
export function visitorOf({ visitor }: FastifyRequest): ConsoleVisitor {
  if (visitor === null) throw new Error('this page is not behind requireSession');
  return visitor;
}

/**
 * Refuses a form that did not stand in a page of this session. Whoever runs the console on a port of its own reaches it by an
 * origin that nobody configured: then the browser’s word is held against the host that it asked.
 *
 * @throws DomainError FORM_REFUSED
 */
export function assertConsoleForm(deps: SessionDeps, request: FastifyRequest, seal: string): void {
  const { session } = visitorOf(request);
  const { host = '' } = request.headers;
  const publicUrl = deps.operatorPort === undefined ? deps.publicUrl : `${request.protocol}://${host}`;
  assertFormIsOurs({ ...deps, publicUrl }, { subject: sealedFor(session), seal, headers: request.headers });
}

/**
 * Refuses to sign anybody in by a form of another site: they would work under a name that is not theirs.
 *
 * @throws DomainError FORM_REFUSED
 */
export function assertFromHere({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const origin = headers.origin ?? 'null';
  const isOurs =
    site === undefined ? origin === 'null' || URL.parse(origin)?.host === headers.host : site === 'same-origin';
  if (!isOurs) throw new DomainError('FORM_REFUSED', 'this form is not ours: open the page again');
}

export interface ApiAnswer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  /** The JSON of the answer; undefined for a file. */
  body: unknown;
  text: string;
}

/**
 * Asks the operator API of this process, as whoever looks at the page: what it lets them do, what it masks and what it writes
 * into the audit log is its own.
 *
 * @param path under /operator/v1, with its query
 */
export async function askApi(
  request: FastifyRequest,
  { method, path, body, key }: { method: string; path: string; body?: object; key?: string | undefined },
): Promise<ApiAnswer> {
  const answer = await request.server.inject({
    method: method as 'GET',
    url: `/operator/v1${path}`,
    remoteAddress: request.ip,
    headers: {
      ...asConsole(visitorOf(request).session),
      accept: 'application/json',
      'x-request-id': request.id,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: isJson ? answer.json<unknown>() : undefined,
    text: answer.body,
  };
}
