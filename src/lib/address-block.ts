import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_BYTES = 8;

/**
 * The key under which a rate limit counts an IP address: an IPv4 address itself, and the /64 network of an IPv6 address,
 * for whoever holds one of its addresses holds all of them. What is no IP address is returned as it is.
 */
export function addressBlock(ip: string): string {
  if (isIPv4(ip) || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip); // turns an IPv4-mapped IPv6 address into the IPv4 address
  if (address.kind() === 'ipv4') return address.toString();
  return Buffer.from(address.toByteArray().slice(0, IPV6_NETWORK_BYTES)).toString('hex');
}
