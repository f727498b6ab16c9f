import { undici } from '#lib/lazy.ts';
import { BlockedTarget } from './connector.ts';
import { DnsFailure } from './resolve.ts';

/**
 * What `lastError` says, beside `status` with the number. The first are how an attempt ended, in one or two words without any address;
 * the last say that a delivery was given up without one.
 */
export const deliveryErrors = {
  timeout: 'No answer came in time',
  dns: 'The name of the server was not found',
  refused: 'Nothing listens there',
  unreachable: 'No connection came about',
  reset: 'The connection broke before an answer',
  tls: 'The certificate, or the encryption, is not good',
  'not http': 'The answer does not begin with a status line of HTTP',
  'blocked target': 'The address is private, or not https',
  interrupted: 'The process that sent it ended; nobody knows whether it arrived',
  internal: 'A fault of this server, which sent nothing',
  'endpoint deleted': 'Given up without an attempt: the endpoint is gone',
  'waited too long': 'Given up without an attempt: nobody took it for too long',
} as const;

export type DeliveryError = keyof typeof deliveryErrors;

const classes: Readonly<Record<string, DeliveryError>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_HEADERS_OVERFLOW: 'not http',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'not http',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'not http',
  UND_ERR_CLOSED: 'interrupted',
  UND_ERR_DESTROYED: 'interrupted',
  UND_ERR_ABORTED: 'interrupted',
  EPROTO: 'tls',
};
/** Of TLS itself, and what OpenSSL finds wrong with a chain of certificates (X509_verify_cert_error_string(3)). */
const TLS =
  /^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_C|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|EMAIL_MISMATCH|IP_ADDRESS_MISMATCH|INVALID_(?:CA|PURPOSE|EXTENSION|NON_CA)|PATH_LENGTH_|KEYUSAGE_|EE_KEY_|CA_|AKID_|SUBJECT_ISSUER_|UNHANDLED_CRITICAL_|SUITE_B_|OCSP_)/;

/** The class of what went wrong while sending. What has no name of its own says whether there was a connection. */
export function errorClass(error: unknown, isConnected: boolean): DeliveryError {
  if (error instanceof BlockedTarget) return 'blocked target';
  if (error instanceof DnsFailure) return 'dns';
  if (error instanceof undici().errors.HTTPParserError) return 'not http';
  const code = String(Object(error).code);
  return classes[code] ?? (TLS.test(code) ? 'tls' : isConnected ? 'reset' : 'unreachable');
}
