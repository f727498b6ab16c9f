import type { SecurityEvent } from './security-events.ts';

/** The codes, as the table of `errors.ts` declares them. */
// oxlint-disable-next-line typescript/no-empty-interface
export interface ErrorCodes {}

/** A code that the table does not have does not compile. */
export type ErrorCode = keyof ErrorCodes;

/**
 * A refusal that the caller can act on.
 *
 * `code` is stable and public (`errors.ts` has its meaning); `message` is public too and says what to do next.
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

/** A program cannot start, or a command cannot continue. `message` says why and what to do; no stack is shown. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
