import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, createServer, get, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
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
  const server = createServer((incoming, response) => {
    const args = text(incoming).then((words) => words.split('\0').slice(0, -1));
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

/** Between two checks of a server, as such proxies have it: nothing tells them that one is ready, they ask. */
const CHECK_MS = 50;

export interface ReadinessProxy {
  readonly url: string;
  /** Whether requests go there. */
  sendsTo(origin: string): boolean;
  close(): Promise<void>;
}

/**
 * Spreads requests over servers whose `/health/ready` says 200, as HAProxy or an ingress does: it asks again and again, keeps
 * connections alive, and sends nothing a second time. A request that a server breaks off is answered with 502.
 */
export async function startReadinessProxy(origins: readonly string[]): Promise<ReadinessProxy> {
  const agent = new Agent({ keepAlive: true });
  const backends = origins.map((origin) => ({ origin, isReady: false, said: '' }));
  let turn = 0;
  const closing = new AbortController();

  const look = async (backend: (typeof backends)[number]): Promise<void> => {
    backend.said = await readinessOf(backend.origin);
    backend.isReady = backend.said.startsWith('200');
  };
  async function watch(backend: (typeof backends)[number]): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(CHECK_MS);
      await look(backend);
    }
  }

  const proxy = createServer((asked, answer) => {
    const ready = backends.filter(({ isReady: is }) => is);
    const chosen = ready[turn++ % ready.length];
    if (chosen === undefined) {
      answer.writeHead(502).end(`no server is ready: ${backends.map(({ said }) => said).join('; ')}`);
      return;
    }
    const { method, headers, url } = asked;
    const { connection: _hop, ...passed } = headers;
    const onward = request(chosen.origin + url, { method, agent, headers: passed }, (received) => {
      const { connection: _theirs, 'keep-alive': _too, ...sent } = received.headers;
      answer.writeHead(received.statusCode ?? 502, sent);
      received.on('error', () => answer.destroy()).pipe(answer);
    });
    onward.on('error', ({ message }) => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end(message)));
    asked.pipe(onward);
  });
  const port = await listenLocally(proxy);
  await Promise.all(backends.map(look));
  const watching = Promise.all(backends.map(watch));
  return {
    url: `http://127.0.0.1:${port}`,
    sendsTo: (origin) => backends.some((backend) => backend.origin === origin && backend.isReady),
    async close() {
      closing.abort();
      await watching;
      agent.destroy();
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

/** The status of a server's readiness and its words, or why there was no answer. */
const readinessOf = async (origin: string): Promise<string> =>
  new Promise((resolve) => {
    const failed = ({ message }: Error) => resolve(message);
    const asking = get(`${origin}/health/ready`, { agent: false }, (answer) => {
      text(answer).then((words) => resolve(`${answer.statusCode} ${words}`), failed);
    });
    asking.on('error', failed);
  });
