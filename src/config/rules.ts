import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isUnreadable } from './institution.ts';
import {
  MASTER_KEY_FORMAT,
  OPERATOR_TOKEN_FORMAT,
  realProviders,
  type VariableName,
  type Variables,
} from './variables.ts';
import { isWeakSecret } from './weak-secrets.ts';

/** The variables that could be read, without those whose own value is refused. */
type Read = Partial<Variables>;

/** A variable that is missing or contradicts the others, and what would be valid. */
interface Broken {
  readonly name: VariableName;
  readonly why: string;
}

interface Rule extends Broken {
  readonly isBroken: (read: Read) => boolean;
}

const serves = ({ ROLE }: Read): boolean => ROLE !== 'worker';
const isTaken = (port: number | undefined, others: readonly (number | undefined)[]): boolean =>
  port !== undefined && port !== 0 && others.includes(port);

const everywhere: readonly Rule[] = [
  {
    name: 'DATABASE_URL',
    why: 'the embedded database is for the sandbox alone',
    isBroken: ({ DATABASE_URL, embedded }) => DATABASE_URL === undefined && embedded !== true,
  },
  {
    name: 'DATABASE_URL',
    why: 'DATABASE_OWNER_URL is given, which is the same database',
    isBroken: ({ DATABASE_OWNER_URL, embedded }) => DATABASE_OWNER_URL !== undefined && embedded === true,
  },
  ...(['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const).map((name) => ({
    name: 'DATABASE_URL' as const,
    why: `${name} is given, which leads to the same database`,
    isBroken: (read: Read) => read[name] !== undefined && read.embedded === true,
  })),
  {
    name: 'OPERATOR_TOKEN',
    why: OPERATOR_TOKEN_FORMAT,
    isBroken: (read) => read.OPERATOR_TOKEN === undefined && serves(read),
  },
  {
    name: 'MASTER_KEY',
    why: MASTER_KEY_FORMAT,
    isBroken: ({ MASTER_KEY, KMS_PROVIDER }) => MASTER_KEY === undefined && KMS_PROVIDER === 'none',
  },
  ...(['KMS_VAULT_URL', 'KMS_VAULT_TOKEN'] as const).map((name) => ({
    name,
    why: 'KMS_PROVIDER=vault needs it',
    isBroken: (read: Read) => read.KMS_PROVIDER === 'vault' && read[name] === undefined,
  })),
  {
    name: 'PAYOUT_NOT_FOUND_AFTER_S',
    why: 'must be longer than a payout can be on its way: four times PAYOUT_TIMEOUT_MS and two seconds',
    isBroken: ({ PAYOUT_NOT_FOUND_AFTER_S: after, PAYOUT_TIMEOUT_MS: timeoutMs }) =>
      after !== undefined && timeoutMs !== undefined && after * 1_000 < 4 * timeoutMs + 2_000,
  },
  {
    name: 'OPERATOR_PORT',
    why: 'must be another port than PORT',
    isBroken: ({ OPERATOR_PORT, PORT }) => isTaken(OPERATOR_PORT, [PORT]),
  },
  {
    name: 'INSTITUTION_ON_ACCENT_COLOUR',
    why: 'must be readable on INSTITUTION_ACCENT_COLOUR: a contrast of 4.5 or more (WCAG 2.2 AA)',
    isBroken: isUnreadable,
  },
  {
    name: 'METRICS_PORT',
    why: 'must be another port than PORT and OPERATOR_PORT',
    isBroken: ({ METRICS_PORT, OPERATOR_PORT, PORT }) => isTaken(METRICS_PORT, [PORT, OPERATOR_PORT]),
  },
];

/** Refuses a provider's URL that is not https: keys and codes are never sent in the clear. */
const inTheClear = (
  name:
    | 'BVN_DOJAH_URL'
    | 'BANK_PAYSTACK_URL'
    | 'PAYOUT_PAYSTACK_URL'
    | 'INBOUND_PAYSTACK_URL'
    | 'MESSAGING_TERMII_URL'
    | 'KMS_VAULT_URL',
): Rule => ({
  name,
  why: 'in live it must be https',
  isBroken: (read) => read[name]?.startsWith('http:') === true,
});

const fees = [
  'FEE_PARTNER_WALLET_CREDIT',
  'FEE_PARTNER_WALLET_DEBIT',
  'FEE_PARTNER_GATEWAY',
  'FEE_PARTNER_TERMINAL',
  'FEE_TRANSFER',
  'FEE_PAYOUT',
  'FEE_SWITCH',
  'FEE_COMMISSION',
  'FEE_STAMP_DUTY',
] as const;
/** 100 %. */
const WHOLE_MILLIONTHS = 1_000_000n;
/** More addresses than any fleet of proxies has. */
const PROXIES_SHARE_MAX = 0.25;

const inLive: readonly Rule[] = [
  {
    name: 'PUBLIC_URL',
    why: 'in live it must be given, and be https',
    isBroken: ({ PUBLIC_URL }) => PUBLIC_URL?.startsWith('https:') !== true,
  },
  {
    name: 'PUBLIC_URL',
    why: 'in live it must be an origin that users can reach, not this host',
    isBroken: ({ PUBLIC_URL }) => PUBLIC_URL !== undefined && isThisHost(new URL(PUBLIC_URL).hostname),
  },
  {
    name: 'LOG_LEVEL',
    why: 'in live the log must show attacks and failures: it may not be silent',
    isBroken: ({ LOG_LEVEL }) => LOG_LEVEL === 'silent',
  },
  ...(['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const).map((name) => ({
    name,
    why: 'in live a database on another host is reached by verified TLS: must end with sslmode=verify-full',
    isBroken: (read: Read) => read[name] !== undefined && reachesAnotherHostUnverified(read[name]),
  })),
  {
    name: 'OPERATOR_TOKEN',
    why: 'is the same as MASTER_KEY, which never leaves the server: must be another',
    isBroken: ({ OPERATOR_TOKEN, MASTER_KEY }) =>
      MASTER_KEY !== undefined && OPERATOR_TOKEN?.toLowerCase() === MASTER_KEY.toString('hex'),
  },
  {
    name: 'TRUSTED_PROXIES',
    why: 'in live they must be your proxies alone: these are a quarter of all addresses or more',
    isBroken: ({ TRUSTED_PROXIES = [] }) => shareOfAddresses(TRUSTED_PROXIES) >= PROXIES_SHARE_MAX,
  },
  ...fees.map((name) => ({
    name,
    why: 'in live a charge must be less than 100%',
    isBroken: (read: Read) => (read[name]?.rateMillionths ?? 0n) >= WHOLE_MILLIONTHS,
  })),
  {
    name: 'OPERATOR_TOKEN',
    why: 'is not random, or is from a sandbox: must be random, as "openssl rand -hex 32" prints',
    isBroken: ({ OPERATOR_TOKEN }) => OPERATOR_TOKEN !== undefined && isWeakSecret(OPERATOR_TOKEN),
  },
  {
    name: 'MASTER_KEY',
    why: 'is not random: must be random, as "openssl rand -hex 32" prints',
    isBroken: ({ MASTER_KEY }) => MASTER_KEY !== undefined && isWeakSecret(MASTER_KEY),
  },
  {
    name: 'OPERATOR_PORT',
    why: 'in live the operator API must have a port of its own',
    isBroken: (read) => read.OPERATOR_PORT === undefined && serves(read),
  },
  {
    name: 'METRICS_PORT',
    why: 'in live the metrics must have a port of their own',
    isBroken: ({ METRICS_PORT }) => METRICS_PORT === undefined,
  },
  {
    name: 'APPROVAL_ABOVE',
    why: 'in live it must be given, in naira',
    isBroken: ({ APPROVAL_ABOVE }) => APPROVAL_ABOVE === undefined,
  },
  ...realProviders.map(({ kind }) => ({
    name: kind,
    why: 'a simulator never runs in live',
    isBroken: (read: Read) => read[kind] === 'simulator',
  })),
  ...(
    [
      'BVN_DOJAH_URL',
      'BANK_PAYSTACK_URL',
      'PAYOUT_PAYSTACK_URL',
      'INBOUND_PAYSTACK_URL',
      'MESSAGING_TERMII_URL',
      'KMS_VAULT_URL',
    ] as const
  ).map(inTheClear),
  {
    name: 'EMAIL_SMTP_TLS',
    why: 'in live no mail is sent in the clear',
    isBroken: ({ EMAIL_SMTP_TLS }) => EMAIL_SMTP_TLS === 'none',
  },
  {
    name: 'WEBHOOK_ALLOWED_CIDRS',
    why: 'in live no webhook goes to a private address',
    isBroken: ({ WEBHOOK_ALLOWED_CIDRS = [] }) => WEBHOOK_ALLOWED_CIDRS.length > 0,
  },
];

/** The variables that chosen providers lack, and those that the environment does not allow. May name a variable more than once. */
export function brokenRules(read: Read): Broken[] {
  const rules = read.ENVIRONMENT === 'live' ? [...everywhere, ...inLive] : everywhere;
  const lacking = realProviders.flatMap(({ kind, name, needs }) =>
    needs
      .filter((variable) => read[kind] === name && read[variable] === undefined)
      .map((variable) => ({ name: variable, why: `${kind}=${name} needs it` })),
  );
  return [...lacking, ...rules.filter(({ isBroken }) => isBroken(read))];
}

/** IPv4-mapped IPv6 addresses: the last 32 bits of ::ffff:0:0/96. */
const MAPPED_BITS = 96;
const MAPPED: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('::ffff:0:0'), MAPPED_BITS];
/** Public IPv6 addresses are in 2000::/3. */
const PUBLIC_BITS = 3;

/** The largest share of all IPv4 or public IPv6 addresses that these ranges can cover together. A repeated range counts twice. */
function shareOfAddresses(parts: readonly string[]): number {
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

/**
 * True for a PostgreSQL URL to another host without `sslmode=verify-full`, which checks the certificate and its name: an attacker on the
 * network could pose as the database. A Unix socket is this host; a URL without a host uses `PGHOST` and counts as another.
 */
function reachesAnotherHostUnverified(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl);
  const last = (name: string) => searchParams.getAll(name).at(-1);
  const host = last('host') ?? decodeURIComponent(hostname);
  return !isThisHost(host) && last('sslmode') !== 'verify-full';
}

/** Whether the host of a URL is this machine. */
const isThisHost = (host: string): boolean =>
  host === 'localhost' ||
  host === '[::1]' ||
  host === '::1' ||
  host.endsWith('.localhost') ||
  host.startsWith('/') ||
  (isIP(host) === 4 && host.startsWith('127.'));

/** Host and database of a URL, without login and password: for the log. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${decodeURIComponent(hostname)}${port && `:${port}`}${pathname}`;
}
