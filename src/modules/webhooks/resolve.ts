import { promises as dns } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** All addresses of a host name. Rejects with DnsFailure when it has none, or nobody says. */
export type Resolve = (hostname: string) => Promise<string[]>;

export class DnsFailure extends Error {
  override readonly name = 'DnsFailure';
}

const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;
const HOSTS_FILE = '/etc/hosts';

/**
 * Asks the hosts file, then DNS. Not by getaddrinfo, which holds one of four threads while a name server keeps silent:
 * four receivers with a dead name server would stop everybody's deliveries, and password hashing with them.
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
    return ''; // there is none on this system
  }
}
