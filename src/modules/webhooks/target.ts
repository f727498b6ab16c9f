import { promises as dns, type LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { buildConnector } from 'undici';
import { withTimeout } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import { undici } from '#lib/lazy.ts';
import { plainUrl } from '#lib/text/parse.ts';

const URL_LENGTH_MAX = 2_000;
const RESOLVE_TIMEOUT_MS = 1_500;
const HTTPS_PORT = 443;

/** Lower ports belong to mail, shells and name servers, which must not receive a POST. */
const FREE_PORT_MIN = 1_024;
const refuse = (reason: string) => new DomainError('WEBHOOK_TARGET_REFUSED', `the webhook URL ${reason}`);

/**
 * Checks a webhook URL when it is saved, so that its owner gets the error at once. The addresses are checked again on every
 * connection, because a name can change its address. An https name that does not resolve yet is accepted.
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

/** The addresses of a host; none if it does not resolve in time. */
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

/** A public number, but Azure's metadata and DNS service on every Azure machine. */
const METADATA_BY_NAME = new Set(['168.63.129.16']);

/** The public addresses of IPv6 (RFC 4291, IANA). */
const IPV6_GLOBAL = ipaddr.parseCIDR('2000::/3');

export type Scheme = 'http:' | 'https:';

/** Whether a webhook may go to this IP address by this scheme. */
export type AddressPolicy = (address: string, scheme: Scheme) => boolean;

/**
 * Allows public unicast addresses by https. Inside `allowedCidrs`, for development and private networks, http is allowed
 * too. An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function addressPolicy(allowedCidrs: readonly string[]): AddressPolicy {
  const allowed = allowedCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  return (text, scheme) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    if (allowed.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits)))
      return true;
    return scheme === 'https:' && isPublic(address);
  };
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (METADATA_BY_NAME.has(address.toString()) || address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(IPV6_GLOBAL);
}

/** All addresses of a host name. Rejects with DnsFailure when it has none, or no server answers. */
export type Resolve = (hostname: string) => Promise<string[]>;

export class DnsFailure extends Error {
  override readonly name = 'DnsFailure';
}

const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;
const HOSTS_FILE = '/etc/hosts';

/**
 * Reads the hosts file, then DNS. Not by getaddrinfo, which blocks one of libuv's four threads while a name server does not
 * answer: four receivers with a dead name server would stop all deliveries, and password hashing.
 */
export function createResolve(servers?: readonly string[]): Resolve {
  const hosts = readHosts();
  const resolver = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const known = hosts.get(name);
    if (known !== undefined) return known;
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1']; // RFC 6761, 6.3
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw new DnsFailure(`${name} has no address`);
    return addresses;
  };
}

function readHosts(): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of hostsText().split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) hosts.set(name.toLowerCase(), [...(hosts.get(name.toLowerCase()) ?? []), address]);
  }
  return hosts;
}

function hostsText(): string {
  try {
    return readFileSync(HOSTS_FILE, 'utf8');
  } catch {
    return ''; // this system has none
  }
}

export class BlockedTarget extends Error {
  override readonly name = 'BlockedTarget';
}

/**
 * Connects for undici, only to addresses that the policy allows. A name is resolved once, all its addresses are checked, and
 * exactly those are connected to, which defeats DNS rebinding. Host header and server name stay those of the URL. HTTP/2 is
 * not offered: all deliveries to a receiver would share one connection and fail with it.
 */
export function guardedConnector(allows: AddressPolicy, resolve: Resolve, timeoutMs: number): buildConnector.connector {
  const build = (scheme: Scheme) => {
    const lookup = checkedLookup((address) => allows(address, scheme), resolve);
    return undici().buildConnector({ timeout: timeoutMs, lookup, autoSelectFamily: true, allowH2: false });
  };
  const connect = { 'http:': build('http:'), 'https:': build('https:') };

  return (options, done) => {
    const scheme: Scheme = options.protocol === 'http:' ? 'http:' : 'https:';
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !allows(host, scheme)) {
      done(new BlockedTarget(host), null);
      return;
    }
    connect[scheme](options, (...[error, socket]) => {
      if (error !== null) {
        done(error, null);
      } else if (allows(socket.remoteAddress ?? '', scheme)) {
        done(null, socket);
      } else {
        socket.destroy();
        done(new BlockedTarget(host), null);
      }
    });
  };
}

function checkedLookup(allows: (address: string) => boolean, resolve: Resolve): LookupFunction {
  return (hostname, { all }, answer) => {
    const look = async (): Promise<void> => {
      let addresses: LookupAddress[];
      try {
        addresses = await checkedAddresses(hostname, allows, resolve);
      } catch (error) {
        answer(error instanceof BlockedTarget ? error : asDnsFailure(error), []);
        return;
      }
      const [first] = addresses;
      if (all === true || first === undefined) answer(null, addresses);
      else answer(null, first.address, first.family);
    };
    void look();
  };
}

async function checkedAddresses(hostname: string, allows: (address: string) => boolean, resolve: Resolve) {
  const addresses = await resolve(hostname);
  if (!addresses.every(allows)) throw new BlockedTarget(hostname);
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

const asDnsFailure = (error: unknown): DnsFailure =>
  error instanceof DnsFailure ? error : new DnsFailure('the name could not be resolved', { cause: error });
