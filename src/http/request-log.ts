import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

type Line = [about: object, message?: string];

/** The log of one request: made when something is logged, for most requests log nothing by it, and to make one takes long. */
class RequestLog {
  readonly #whole: FastifyBaseLogger;
  readonly #bindings: Record<string, unknown>;
  #made: FastifyBaseLogger | undefined;

  constructor(whole: FastifyBaseLogger, bindings: Record<string, unknown>) {
    this.#whole = whole;
    this.#bindings = bindings;
  }

  get #log(): FastifyBaseLogger {
    return (this.#made ??= this.#whole.child(this.#bindings));
  }

  get level(): string {
    return this.#whole.level;
  }

  child(...given: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child(...given);
  }

  fatal(...line: Line): void {
    this.#log.fatal(...line);
  }

  error(...line: Line): void {
    this.#log.error(...line);
  }

  warn(...line: Line): void {
    this.#log.warn(...line);
  }

  info(...line: Line): void {
    this.#log.info(...line);
  }

  debug(...line: Line): void {
    this.#log.debug(...line);
  }

  trace(...line: Line): void {
    this.#log.trace(...line);
  }

  silent(): void {}
}

/** Gives each request a log that names it. */
export function logByRequest(app: FastifyInstance): void {
  app.setChildLoggerFactory((whole, bindings) => new RequestLog(whole, bindings));
}
