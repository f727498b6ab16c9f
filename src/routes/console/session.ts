import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
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

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in operator; null on pages that need no session. */
    visitor: ConsoleVisitor | null;
  }
  interface FastifyContextConfig {
    /** True for the pages of the console that need no session. */
    anybody?: boolean;
  }
}

/** The signed-in operator, for the page they look at. */
export interface ConsoleVisitor {
  session: string;
  operator: AuthenticatedOperator;
  /** For the forms of the page. */
  seal: string;
  /** Whether their role allows an operation. */
  may: (operation: OperatorOperation) => boolean;
  /** Names by id, of everything that the page mentions. */
  names: Map<string, string>;
  /** The time of the request. */
  now: Date;
}

export type SessionDeps = OperatorAuthentication & Parameters<typeof sealForm>[0] & Reached;

/** A form is valid as long as a session may last, so that a form left open over lunch can still be sent. */
const FORM_MS = 8 * 60 * 60 * 1000;

/** The most characters of an address to return to after signing in. */
export const NEXT_MAX = 2000;

/** Where the console is mounted. */
export const CONSOLE = '/console';

const SESSION = 'paytag-console';

/** Gives the browser a session; without one it is taken away. */
export const setSession = (deps: SessionDeps, reply: FastifyReply, session = '', maxAgeS = 0): FastifyReply =>
  setCookie(deps, reply, { name: SESSION, value: session, maxAgeS });

const sessionIn = (deps: SessionDeps, request: FastifyRequest): string | undefined => cookieIn(deps, request, SESSION);

/** Ends the former session of a browser that signs in again: the browser drops its cookie, so no one could end it later. */
export async function endFormerSession(deps: SessionDeps, request: FastifyRequest): Promise<void> {
  const session = sessionIn(deps, request);
  if (session !== undefined && (await known(deps, session)) !== undefined) await signOut(deps, session);
}

const sealedFor = (session: string): string => `console:${session}`;

/** Lets signed-in operators in and redirects everybody else to the sign-in page. */
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

/** Redirects to the sign-in page, which returns to the requested page; a partial request makes the browser reload the whole page. */
function toSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isKept = request.method === 'GET' && request.url.length <= NEXT_MAX;
  const next = isKept ? `?next=${encodeURIComponent(request.url)}` : '';
  if (request.headers['hx-request'] !== undefined) {
    return reply.code(401).header('hx-refresh', 'true').type('text/plain').send('sign in again');
  }
  return reply.redirect(`${CONSOLE}/sign-in${next}`, 303);
}

/** The operator of a request behind {@link requireSession}. */
export function visitorOf({ visitor }: FastifyRequest): ConsoleVisitor {
  if (visitor === null) throw new Error('this page is not behind requireSession');
  return visitor;
}

/**
 * Refuses a form that is not from a page of this session. A console on its own port is reached by an origin that is not
 * configured, so there the browser’s origin is compared with the host of the request.
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
 * Refuses a sign-in form of another site, which would sign the operator in under a name that is not theirs.
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
 * Calls the operator API of this process as the signed-in operator. The API checks the role, masks personal data and writes the
 * audit log.
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

/** Where the console is reached. */
export interface Reached {
  environment: string;
  publicUrl: string;
  operatorPort: number | undefined;
}

/**
 * Whether a browser that keeps a cookie for https alone keeps this one. On the main port PUBLIC_URL says so; a port of the
 * operator's own is reached as the request was, and in live never by plain http but from the machine itself.
 */
const isSecure = ({ publicUrl, operatorPort, environment }: Reached, { protocol }: FastifyRequest): boolean =>
  protocol === 'https' || (operatorPort === undefined ? publicUrl.startsWith('https:') : environment === 'live');

const nameOf = (secure: boolean, name: string): string => `${secure ? '__Host-' : ''}${name}`;

/** Gives the browser a cookie, for no script and no other site; without a value it is taken away. */
export function setCookie(
  reached: Reached,
  reply: FastifyReply,
  { name, value = '', maxAgeS = 0 }: { name: string; value?: string; maxAgeS?: number },
): FastifyReply {
  const secure = isSecure(reached, reply.request);
  const attributes = ['Path=/', `Max-Age=${Math.round(maxAgeS)}`, 'HttpOnly', 'SameSite=Strict'];
  const cookie = [`${nameOf(secure, name)}=${value}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
  return reply.header('set-cookie', cookie);
}

/** What a cookie that we gave says; undefined without it. */
export function cookieIn(reached: Reached, request: FastifyRequest, name: string): string | undefined {
  const begin = `${nameOf(isSecure(reached, request), name)}=`;
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(begin))?.slice(begin.length);
}

/** The body of a form of the console, which says that it is ours. */
export const sealedBody = z.object({ form: z.string().max(100) });
