/** How a command ends: the guide of the command line tells it to scripts. */
export const exitCodes = {
  done: 0,
  /** The server refused it, or the books are not in order. */
  refused: 1,
  /** It was not asked for as it must be, and nothing was sent. */
  usage: 2,
  /** No answer came. */
  unreachable: 3,
  /** No token, one that is not good, or a role that may not. */
  credentials: 4,
  /** Nothing is done yet: another operator must approve it. */
  waits: 5,
} as const;

/** Ends a command. The message is for whoever gave it: what happened, and what to do next. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: number;

  constructor(kind: keyof typeof exitCodes, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCodes[kind];
  }
}
