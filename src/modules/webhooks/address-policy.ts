import ipaddr from 'ipaddr.js';

/** Public by its number, yet Azure's metadata and DNS service on every Azure machine. */
const METADATA_BY_NAME = new Set(['168.63.129.16']);
/** All of IPv6 that is given out as public addresses (RFC 4291, IANA). */
const IPV6_GLOBAL = ipaddr.parseCIDR('2000::/3');

export type Scheme = 'http:' | 'https:';
/** True when a webhook may go to this IP address by this scheme. */
export type AddressPolicy = (address: string, scheme: Scheme) => boolean;

/**
 * Webhooks go to public unicast addresses by https. Into the allowed ranges, which are for development and private
 * networks, they also go by http. An IPv4 address in IPv6 clothes is judged as the IPv4 address it is.
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
