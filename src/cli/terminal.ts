import { InvalidArgumentError } from 'commander';
import type { z } from 'zod';

/** Where a command reads and writes: the process's own streams, or a test's. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Whether each stream is a terminal. */
  isInteractive: { in: boolean; out: boolean; err: boolean };
  /** Characters in a line; undefined where output goes into a file or another program. */
  columns: number | undefined;
  /** Asks, and waits for a line. What is `hidden` is not shown while it is typed. */
  ask(question: string, options?: { hidden?: boolean }): Promise<string>;
  /** Standard input, to its end. */
  readAll(): Promise<string>;
}

const INTERRUPTED = 130;

export const processTerminal = (): Terminal => ({
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isInteractive: {
    in: process.stdin.isTTY,
    out: process.stdout.isTTY,
    err: process.stderr.isTTY,
  },
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  ask: (question, { hidden = false } = {}) => (hidden ? askHidden(question) : askLine(question)),
  readAll: async () => {
    process.stdin.setEncoding('utf8');
    let text = '';
    for await (const part of process.stdin) text += String(part);
    return text;
  },
});

async function askLine(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const line = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await line.question(question);
  } finally {
    line.close();
  }
}

/** Reads a line key by key, and shows nothing of it. */
function askHidden(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stdin.setRawMode(true); // before the question: the answer may come at once
  stderr.write(question);
  stdin.setEncoding('utf8');
  stdin.resume();
  return new Promise((resolve) => {
    let line = '';
    const end = () => {
      stdin.off('data', read);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
    };
    const read = (typed: string) => {
      for (const key of typed) {
        if (key === '\r' || key === '\n' || key === '\u0004') {
          end();
          resolve(line);
          return;
        }
        if (key === '\u0003') {
          end();
          process.exit(INTERRUPTED);
        }
        line = key === '\u007f' || key === '\b' ? line.slice(0, -1) : line + key;
      }
    };
    stdin.on('data', read);
  });
}

/** The exit codes of commands; the guide of the command line documents them for scripts. */
export const exitCodes = {
  done: 0,
  /** The server refused it, or the books are not in order. */
  refused: 1,
  /** The command line is not valid, and nothing was sent. */
  usage: 2,
  /** No answer came. */
  unreachable: 3,
  /** No token, a token that is not valid, or a role without the right. */
  credentials: 4,
  /** Nothing is done yet: another operator must approve it. */
  waits: 5,
} as const;

/** Ends a command. The message says what happened and what to do next. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: number;

  constructor(kind: keyof typeof exitCodes, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCodes[kind];
  }
}

/** The actor of commands in the audit log. */
export const ACTOR = 'cli';

/**
 * A parser of an argument for commander, which accepts what the operator API accepts.
 *
 * @param shape the shape by which the operator API reads it
 * @param convert turns the text of the command line into what the shape expects, e.g. a number
 * @throws InvalidArgumentError (the parser) with the shape's own words
 */
export const parseWith =
  <Shape extends z.ZodType>(shape: Shape, convert: (text: string) => unknown = (text) => text) =>
  (text: string): z.output<Shape> => {
    const parsed = shape.safeParse(convert(text));
    if (!parsed.success) throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? 'is not valid');
    return parsed.data;
  };

/** A plain decimal number; NaN for other notations (`1e3`, `0x10`) and for more digits than a number holds exactly. */
export const plainNumber = (text: string): number => (/^\d{1,13}(\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN);

/** Prints an answer as indented JSON. */
export const print = (answer: unknown): void => console.log(JSON.stringify(answer, null, 2));
