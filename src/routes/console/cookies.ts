import type { FastifyReply, FastifyRequest } from 'fastify';

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
