import type { FastifyRequest } from 'fastify';
import { DomainError } from '#lib/domain-error.ts';

interface TokenRequest {
  client_id?: string | undefined;
  client_secret?: string | undefined;
  [other: string]: unknown;
}

/** Whether a client authenticates by HTTP Basic. A header of another scheme, e.g. the token it has so far, says nothing here. */
export const triesBasic = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  /^Basic(?: |$)/i.test(headers.authorization ?? '');

/**
 * The client's credentials, from the body or from HTTP Basic (RFC 6749 2.3.1): one of them, never both.
 *
 * @throws DomainError INVALID_PARAMETER, also for a form in which a member stands twice (RFC 6749 3.2)
 */
export function credentialsIn(
  request: Pick<FastifyRequest, 'headers'>,
  body: TokenRequest,
): { clientId: string; clientSecret: string } {
  const { headers } = request;
  if (headers['content-type']?.toLowerCase().includes('form') && Object.values(body).some(Array.isArray)) {
    throw new DomainError('INVALID_PARAMETER', 'a member of the form stands twice');
  }
  const { client_id: clientId, client_secret: clientSecret } = body;
  if (triesBasic(request)) {
    if (clientId !== undefined || clientSecret !== undefined) {
      throw new DomainError('INVALID_PARAMETER', 'send the credentials in the body or by HTTP Basic, not both');
    }
    return basicCredentials(headers.authorization ?? '');
  }
  if (clientId === undefined) throw new DomainError('INVALID_PARAMETER', 'client_id: is missing');
  if (clientSecret === undefined) throw new DomainError('INVALID_PARAMETER', 'client_secret: is missing');
  return { clientId, clientSecret };
}

/** Both halves are form-encoded before they are joined. */
function basicCredentials(authorization: string): { clientId: string; clientSecret: string } {
  const encoded = /^Basic +([\w+/=-]+)$/i.exec(authorization)?.[1];
  const [, id, secret] = /^([^:]+):(.+)$/.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? [];
  const [clientId, clientSecret] = [id, secret].map((half) => half && formDecoded(half));
  if (!clientId || !clientSecret)
    throw new DomainError('INVALID_CLIENT', 'the client id or the client secret is wrong');
  return { clientId, clientSecret };
}

const formDecoded = (text: string): string | undefined => {
  const decoded = new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v');
  return decoded === null || decoded.includes('\0') ? undefined : decoded;
};
