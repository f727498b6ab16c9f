import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_BYTES = 8;

/** What one customer of a network provider has: an IPv4 address, or an IPv6 /64. For limits by address. */
export function addressBlock(ip: string): string {
  if (isIPv4(ip) || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip); // an IPv4 address in IPv6 clothes is an IPv4 address
  if (address.kind() === 'ipv4') return address.toString();
  return Buffer.from(address.toByteArray().slice(0, IPV6_NETWORK_BYTES)).toString('hex');
}
