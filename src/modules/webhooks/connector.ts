import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { undici } from '#lib/lazy.ts';
import type { AddressPolicy, Scheme } from './address-policy.ts';
import { DnsFailure, type Resolve } from './resolve.ts';

export class BlockedTarget extends Error {
  override readonly name = 'BlockedTarget';
}

/**
 * Connects for undici, to addresses that the policy allows and no other. A name is resolved once, all its addresses are
 * checked, and those very addresses are connected to, so a name that changes between check and use (DNS
 * rebinding) gains nothing. Host header and server name stay those of the URL. HTTP/2 is not offered: it would send all
 * deliveries to a receiver over one connection, and when that goes dead each of these attempts would be lost with it.
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
