import { DomainError } from '#lib/domain-error.ts';

/**
 * Checks the URL to which logins return. The redirect carries an authorization code, so in live it must be https.
 *
 * @throws DomainError REDIRECT_URL_REFUSED
 */
export function assertRedirectUrl(redirectUrl: string, httpsOnly: boolean): void {
  const url = URL.parse(redirectUrl);
  const schemes = httpsOnly ? ['https:'] : ['https:', 'http:'];
  const isAddress = url !== null && schemes.includes(url.protocol) && /^[\x21-\x7e]+$/.test(redirectUrl);
  const isPlain = url?.username === '' && url.password === '' && url.hash === '' && !url.searchParams.has('auth-code');
  if (!isAddress || !isPlain) {
    throw new DomainError(
      'REDIRECT_URL_REFUSED',
      `redirectUrl: must be an ${httpsOnly ? 'https' : 'http or https'} URL without userinfo, fragment and auth-code`,
    );
  }
}
