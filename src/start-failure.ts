import { DomainError } from '#lib/domain-error.ts';
import { InstallationMismatch } from '#modules/installation';
import { ConfigError } from './config/environment.ts';

const AWAY = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', '28P01', '28000', '3D000', '57P03']);

/** What a program that could not start or go on tells its operator: one line where it is known what to do, else all of it. */
export function startFailure(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof InstallationMismatch) return error.message;
  if (error instanceof DomainError) return `${error.code}: ${[error.message, ...error.errors].join('\n')}`;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (!(error instanceof Error) || typeof code !== 'string') return error;
  if (code === 'EADDRINUSE') return `PORT is not valid: ${error.message}; set it to a free one`;
  if (AWAY.has(code) && syscall !== 'listen')
    return `DATABASE_URL: the database cannot be reached (${error.message || code})`;
  return error;
}
