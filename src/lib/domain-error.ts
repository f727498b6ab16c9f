import type { ErrorCode } from './error-codes.ts';
import type { SecurityEvent } from './security-events.ts';

/**
 * A refusal that the caller can act on.
 *
 * `code` is stable and public (each has its meaning in the errors guide); `message` is public too and says what to do next.
 * `cause` is for our log alone. Each surface maps the code to its status and body in one place.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  /** Public, one line for each field that was wrong. */
  readonly errors: readonly string[];
  /** Whole seconds after which the same request may succeed; sent as Retry-After. */
  readonly retryAfterS: number | undefined;
  /** The security event that this refusal is, where its code alone does not say so. */
  readonly event: SecurityEvent | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { errors?: readonly string[]; retryAfterS?: number; event?: SecurityEvent; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.errors = options.errors ?? [];
    this.retryAfterS = options.retryAfterS;
    this.event = options.event;
  }
}
