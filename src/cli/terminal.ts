/** Where a command reads and writes: the process's own streams, or a test's. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Whether somebody sits there. */
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
  stdin.setRawMode(true); // before the question, for whoever answers at once
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
