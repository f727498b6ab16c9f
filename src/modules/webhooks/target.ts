import { isIP } from 'node:net';
import { withTimeout } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import { plainUrl } from '#lib/text/parse.ts';
import { type AddressPolicy, addressPolicy, type Scheme } from './address-policy.ts';
import { createResolve, type Resolve } from './resolve.ts';

const URL_LENGTH_MAX = 2_000;
const RESOLVE_TIMEOUT_MS = 1_500;
const HTTPS_PORT = 443;
/** Below it live mail, shells and name servers, which a POST must not be spoken to. */
const FREE_PORT_MIN = 1_024;

const refuse = (reason: string) => new DomainError('WEBHOOK_TARGET_REFUSED', `the webhook URL ${reason}`);

/**
 * Checks a webhook URL when it is saved, so that its owner learns at once what is wrong. What it resolves to is checked
 * again on every connection, for a name can change its address. A name that does not resolve now is let through when it
 * is https: it may be about to exist.
 *
 * @throws DomainError WEBHOOK_TARGET_REFUSED with the reason
 */
export async function assertWebhookTarget(
  text: string,
  { allowedCidrs }: { allowedCidrs: readonly string[] },
  resolve: Resolve = createResolve(),
): Promise<void> {
  const url = parse(text);
  const allows = addressPolicy(allowedCidrs);
  const scheme = schemeOf(url, allowedCidrs.length > 0);
  const addresses = await addressesOf(url.hostname, resolve);
  if (addresses.length === 0 && scheme === 'http:') throw refuse('must have a host with an address');
  for (const address of addresses) assertAddress(address, scheme, allows);
  if (!addresses.some((address) => allows(address, 'http:'))) assertPublicPort(url);
}

function parse(text: string): URL {
  const url = text.length <= URL_LENGTH_MAX ? plainUrl(text) : undefined;
  if (url === undefined) throw refuse(`must be a URL of at most ${URL_LENGTH_MAX} characters, written as it is read`);
  if (url.username !== '' || url.password !== '') throw refuse('must not hold a user name or password');
  if (text.includes('#')) throw refuse('must not hold a fragment');
  return url;
}

function schemeOf({ protocol }: URL, httpAllowed: boolean): Scheme {
  if (protocol === 'https:' || (protocol === 'http:' && httpAllowed)) return protocol;
  throw refuse(httpAllowed ? 'must be an https or http URL' : 'must be an https URL');
}

/** The addresses behind a host, none when it cannot be resolved in time. */
async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  const literal = host.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0) return [literal];
  return (await withTimeout(resolve(host), RESOLVE_TIMEOUT_MS).catch(() => undefined)) ?? [];
}

function assertAddress(address: string, scheme: Scheme, allows: AddressPolicy): void {
  if (allows(address, scheme)) return;
  throw refuse(
    allows(address, 'https:') ? 'must be https for a public address' : 'must lead to a public internet address',
  );
}

function assertPublicPort({ port }: URL): void {
  const number = port === '' ? HTTPS_PORT : Number(port);
  if (number !== HTTPS_PORT && number < FREE_PORT_MIN) {
    throw refuse(`must use port ${HTTPS_PORT} or one from ${FREE_PORT_MIN} up`);
  }
}
