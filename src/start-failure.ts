import { DomainError } from '#lib/domain-error.ts';
import { InstallationMismatch } from '#modules/installation';
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

/** What to print when a program cannot start or go on: one line that says what to do, or the whole error when the cause is unknown. */
export function startFailure(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof InstallationMismatch || error instanceof RootKeyUnavailable)
    return error.message;
  if (error instanceof DomainError) return `${error.code}: ${[error.message, ...error.errors].join('\n')}`;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (!(error instanceof Error) || typeof code !== 'string') return error;
  if (NO_DATABASE.has(code) && syscall !== 'listen')
    return `DATABASE_URL: the database cannot be reached (${error.message || code})`;
  return error;
}
