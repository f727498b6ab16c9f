import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { main } from '../../src/cli/main.ts';
import { commandEnvironment } from '../../src/config/command-environment.ts';
import { listenLocally } from '../../src/embedded/port.ts';

export interface CommandHost {
  /** Lines of sh that run `paytag "$@"` here, and end as it ended. */
  readonly script: string;
  close(): Promise<void>;
}

/**
 * Runs commands of `paytag` that talk to a server in this process, for scripts that would start a process for each of them: what is
 * told there is what commands do, and not how they start.
 *
 * @param environment what the commands find around them
 */
export async function startCommandHost(environment: Record<string, string>): Promise<CommandHost> {
  const folder = await mkdtemp(join(tmpdir(), 'paytag-test-commands-'));
  const [outFile, errFile] = [join(folder, 'out'), join(folder, 'err')];
  async function run(args: readonly string[]): Promise<number> {
    const said = { out: '', err: '' };
    const code = await main(args, {
      environment: commandEnvironment(environment),
      terminal: {
        out: (words) => void (said.out += words),
        err: (words) => void (said.err += words),
        isInteractive: { in: false, out: false, err: false },
        columns: undefined,
        ask: async () => '',
        readAll: async () => '',
      },
    });
    await Promise.all([writeFile(outFile, said.out), writeFile(errFile, said.err)]);
    return code;
  }
  const server = createServer((request, response) => {
    const args = text(request).then((words) => words.split('\0').slice(0, -1));
    args.then(run).then(
      (code) => response.end(String(code)),
      () => response.destroy(),
    );
  });
  const port = await listenLocally(server);
  return {
    script: [
      `code=$(printf '%s\\0' "$@" | curl -sS --fail --data-binary @- http://127.0.0.1:${port}/) || exit 1`,
      `cat '${outFile}' && cat '${errFile}' >&2 && exit "$code"`,
    ].join('\n'),
    async close() {
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}
