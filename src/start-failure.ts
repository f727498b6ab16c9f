import { CannotStart, DomainError } from '#lib/domain-error.ts';
import { InstallationMismatch } from '#modules/keys';
import { ConfigError } from './config/environment.ts';
import { RootKeyUnavailable } from './providers/kms/port.ts';

/** Codes of Node.js and PostgreSQL for a database that cannot be reached or refuses the login. */
const NO_DATABASE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  '28P01',
  '28000',
  '3D000',
  '57P03',
]);

/** Codes of OpenSSL and Node.js for a certificate that is not trusted. */
const NOT_TRUSTED =
  /^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$|ERR_TLS_CERT_ALTNAME_INVALID$|SELF_SIGNED_CERT_IN_CHAIN$|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF))/;

/** The message of `pg`, whose error has no code. */
const NO_TLS = /^The server does not support SSL connections$/;

const unreachable = (why: string): string => `DATABASE_URL: the database cannot be reached (${why})`;

/** Errors whose message is written for the operator. */
const forOperator = [CannotStart, ConfigError, InstallationMismatch, RootKeyUnavailable];

/** What to print when a program cannot start or continue: one line with what to do, or the whole error if its cause is unknown. */
export function startFailure(error: unknown): unknown {
  if (forOperator.some((kind) => error instanceof kind)) return (error as Error).message;
  if (error instanceof DomainError) return `${error.code}: ${[error.message, ...error.errors].join('\n')}`;
  if (error instanceof Error && NO_TLS.test(error.message)) return unreachable(error.message);
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (!(error instanceof Error) || typeof code !== 'string') return error;
  if (NO_DATABASE.has(code) && syscall !== 'listen') return unreachable(error.message || code);
  if (NOT_TRUSTED.test(code))
    return `DATABASE_URL: the certificate of the database is not trusted (${error.message.split(';')[0]}): name its authority in the URL, with sslrootcert=/path/of/ca.pem`;
  return error;
}
