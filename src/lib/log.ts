import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { callers } from './security-events.ts';
import { currentSpan } from './tracing.ts';

/**
 * The log: JSON lines on standard output. Each is an event name (`event`), fields and one plain sentence. The values of a failed query
 * are left out, because they may be secret.
 *
 * @param options.hasWords levels as words (`info`) for people who read the log, in place of pino's numbers
 */
export function createLog(
  level: string,
  stream: DestinationStream = destination(1),
  { hasWords = false }: { hasWords?: boolean } = {},
): Logger {
  const formatters = hasWords ? { level: (label: string) => ({ level: label }) } : {};
  const timestamp = stdTimeFunctions.isoTime;
  return pino(
    { level, base: null, timestamp, formatters, serializers: { err: describeError }, mixin: contextOf },
    stream,
  );
}

/** The request and the trace in which a line is logged. A request's own log names the request already. */
function contextOf(_line: object, _level: number, log: Logger): object {
  const span = currentSpan();
  const requestId = callers.getStore()?.requestId;
  const isNamed = requestId === undefined || log.bindings()['requestId'] !== undefined;
  return {
    ...(isNamed ? {} : { requestId }),
    ...(span && { trace_id: span.traceId, span_id: span.spanId }),
  };
}

/** Type, message, code and stack of an error and its causes; never its other members, such as `parameters` or `detail`. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { code?: unknown };
  const isQuery = error.message.startsWith('Failed query');
  return {
    type: error.name,
    message: isQuery ? 'Failed query' : error.message,
    code,
    stack: isQuery ? undefined : error.stack,
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}

/** Logs the first failure of an outage and its end: two lines, not thousands. */
export interface OutageLogger {
  /** Logs the error, unless the outage is logged already. */
  readonly failed: (error: unknown) => void;
  /** Logs the end of the outage, if there is one, with its number of failures. */
  readonly recovered: () => void;
  /** Stops logging. Called when closing begins, which makes calls fail. */
  readonly end: () => void;
}

/**
 * @param what e.g. "sending traces": the log says "sending traces fails" and "sending traces works again". Of an error only message and
 *   code are logged, because drivers put more into it.
 */
export function outageLogger(log: Logger, what: string): OutageLogger {
  let failures = 0;
  let ended = false;
  return {
    failed(error) {
      failures += 1;
      if (failures > 1 || ended) return;
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      const message = error instanceof Error ? error.message : String(error);
      log.error({ event: 'outage.began', error: message, code }, `${what} fails`);
    },
    recovered() {
      if (failures > 0) log.info({ event: 'outage.ended', failures }, `${what} works again`);
      failures = 0;
    },
    end() {
      ended = true;
    },
  };
}
