import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { callers } from './security-events.ts';
import { currentSpan } from './tracing.ts';

/** The log: JSON lines on standard output. The values of a failed query are left out, because they may be secret. */
export function createLog(level: string, stream: DestinationStream = destination(1)): Logger {
  const base = null;
  return pino(
    { level, base, timestamp: stdTimeFunctions.isoTime, serializers: { err: describeError }, mixin: whereItBelongs },
    stream,
  );
}

/** By which lines are found: the trace and the request on whose behalf something runs. A request's own log names it already. */
function whereItBelongs(_line: object, _level: number, log: Logger): object {
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

/** Logs the first failure of an outage and its end, so that an outage is two lines in the log and not thousands. */
export interface OutageLogger {
  /** Logs the error, unless the outage is known already. */
  readonly failed: (error: unknown) => void;
  /** Logs the end of an outage, with the number of failures in it; does nothing when there is none. */
  readonly recovered: () => void;
  /** Logs no failure from now on. Called when closing begins, which makes calls fail. */
  readonly end: () => void;
}

/**
 * @param what names what fails, e.g. "the delivery queue": the log says "the delivery queue fails" and "… works again".
 * Of an error only message and code are logged, because drivers put more into it.
 */
export function outageLogger(log: Logger, what: string): OutageLogger {
  let failures = 0;
  let ended = false;
  return {
    failed(error) {
      failures += 1;
      if (failures > 1 || ended) return;
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      log.error({ error: error instanceof Error ? error.message : String(error), code }, `${what} fails`);
    },
    recovered() {
      if (failures > 0) log.info({ failures }, `${what} works again`);
      failures = 0;
    },
    end() {
      ended = true;
    },
  };
}
