import ipaddr from 'ipaddr.js';

/** All IPv4 addresses as IPv6 writes them: the last 32 bits of ::ffff:0:0/96. */
const MAPPED_BITS = 96;
const MAPPED: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('::ffff:0:0'), MAPPED_BITS];
/** Public IPv6 addresses are in 2000::/3. */
const PUBLIC_BITS = 3;

/**
 * Which share of all addresses these addresses and ranges cover together at most: of IPv4, or of the public ones of IPv6, the
 * greater of both. One that stands twice counts twice.
 */
export function shareOfAddresses(parts: readonly string[]): number {
  let ofIpv4 = 0;
  let ofIpv6 = 0;
  for (const [address, bits] of parts.filter((part) => part.includes('/')).map((part) => ipaddr.parseCIDR(part))) {
    if (address.kind() === 'ipv4') ofIpv4 += 2 ** -bits;
    else if (bits >= MAPPED_BITS && (address as ipaddr.IPv6).match(MAPPED)) ofIpv4 += 2 ** (MAPPED_BITS - bits);
    else ofIpv6 += 2 ** (PUBLIC_BITS - bits);
    if (bits < MAPPED_BITS && address.kind() === 'ipv6' && MAPPED[0].match(address, bits)) ofIpv4 += 1;
  }
  return Math.max(ofIpv4, ofIpv6);
}
