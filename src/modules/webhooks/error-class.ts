import { undici } from '#lib/undici.ts';
import { BlockedTarget } from './connector.ts';
import { DnsFailure } from './resolve.ts';

const classes: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  HOSTNAME_MISMATCH: 'tls',
};
const TLS = /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_)/;

/** The class of what went wrong while sending: what `lastError` says, in one or two words without any address. */
export function errorClass(error: unknown): string {
  if (error instanceof BlockedTarget) return 'blocked target';
  if (error instanceof DnsFailure) return 'dns';
  if (error instanceof undici().errors.HTTPParserError) return 'not http';
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (typeof code !== 'string') return 'failed';
  return classes[code] ?? (TLS.test(code) ? 'tls' : 'failed');
}
