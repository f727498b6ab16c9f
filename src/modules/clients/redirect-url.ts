import { DomainError } from '#lib/domain-error.ts';
import { plainUrl } from '#lib/text/parse.ts';

/** What we add to the URL, and what a client of OAuth reads of it (RFC 6749 4.1.2, RFC 9207): it must stand there once, from us. */
const OURS: ReadonlySet<string> = new Set(['auth-code', 'code', 'state', 'error', 'iss']);

/**
 * Checks the URL to which logins return. The redirect carries an authorization code, so in live it must be https, nothing may
 * stand behind its query, and its query holds none of the parameters that say how the login went.
 *
 * @throws DomainError REDIRECT_URL_REFUSED
 */
export function assertRedirectUrl(redirectUrl: string, httpsOnly: boolean): void {
  const url = plainUrl(redirectUrl);
  const schemes = httpsOnly ? ['https:'] : ['https:', 'http:'];
  if (url === undefined || !schemes.includes(url.protocol) || !/^[\x21-\x7e]+$/.test(redirectUrl)) {
    throw refused(`must be an ${httpsOnly ? 'https' : 'http or https'} URL, written as it is read`);
  }
  if (url.username !== '' || url.password !== '') throw refused('must not hold a user name or password');
  if (redirectUrl.includes('#')) throw refused('must not hold a #: the code would land behind it');
  const names = namesIn(url.search);
  if (names === undefined) throw refused('must be UTF-8 where it is percent-encoded');
  const taken = names.find((name) => OURS.has(name));
  if (taken !== undefined) throw refused(`must not hold the parameter ${taken}: we say that of each login`);
}

/**
 * The parameters of a query as some server reads them: `;` and `&amp;` part them too, `code[]` and `code.a` are parts of `code`, and
 * case, blanks and controls before a name, and `_` for `-` do not count. Undefined for what cannot be decoded.
 */
function namesIn(query: string): string[] | undefined {
  try {
    return query.split(/[&;]/).map((part) => {
      const [name = ''] = decodeURIComponent(part.replaceAll('+', ' ')).split('=');
      const [whole = ''] = name.replace(/^[?\s\p{Cc}]+/u, '').split(/[[.\s\p{Cc}]/u);
      return whole.toLowerCase().replaceAll('_', '-');
    });
  } catch {
    return undefined;
  }
}

const refused = (why: string): DomainError => new DomainError('REDIRECT_URL_REFUSED', `redirectUrl: ${why}`);
