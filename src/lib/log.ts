import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';

/** The log: JSON lines on standard output. The values of a failed query are left out, because they may be secret. */
export function createLog(level: string, stream: DestinationStream = destination(1)): Logger {
  const base = null;
  return pino({ level, base, timestamp: stdTimeFunctions.isoTime, serializers: { err: describeError } }, stream);
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
