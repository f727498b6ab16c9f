import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listenLocally } from '../../src/embedded/port.ts';

/** Stands between a client and a server of ours, and breaks connections at exact moments. */
export interface TcpProxy {
  /** The server's URL, through this proxy. */
  readonly url: string;
  /** Breaks the next `count` connections that the server answers on, with this in it: what was asked is done, and nobody hears of it. */
  loseAnswers(count: number, holding?: string): void;
  /** Breaks the next `count` connections that the client asks on, with this in it: what was asked is not done. */
  loseRequests(count: number, holding?: string): void;
  /** Connections that came while it was away. */
  readonly turnedAway: number;
  /** From now on nothing that the server says with this in it is passed on; all else is. */
  swallowAnswers(holding: string): void;
  /** How often something was swallowed. */
  readonly swallowed: number;
  /** Passes nothing on any more over the connections there are, and leaves them open: the other side seems to think. */
  fallSilent(): void;
  /** From now on what the server answers is passed on so much later. */
  slowDown(byMs: number): void;
  /** Breaks every connection, also new ones, until `restore`. */
  goAway(): void;
  restore(): void;
  /** From now on new connections go to this server. */
  leadTo(target: string): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  let goal = new URL(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  const silent = new Set<Socket>();
  const losing = { answers: { count: 0, holding: '' }, requests: { count: 0, holding: '' } };
  let away = false;
  let slowMs = 0;
  let turnedAway = 0;
  let swallowing: string | undefined;
  let swallowed = 0;

  const proxy = createServer((client) => {
    if (away) {
      turnedAway += 1;
      client.destroy();
      return;
    }
    const server = connect({ host: goal.hostname, port: Number(goal.port) });
    const pair = [client, server] as const;
    pairs.add(pair);
    const breakIt = () => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    const pass = (from: Socket, to: Socket, lost: keyof typeof losing) => {
      from.on('data', (part) => {
        if (silent.has(from)) return;
        if (lost === 'answers' && swallowing !== undefined && part.includes(swallowing)) {
          swallowed += 1;
          return;
        }
        if (losing[lost].count === 0 || !part.includes(losing[lost].holding)) {
          if (lost === 'answers' && slowMs > 0) setTimeout(() => to.write(part), slowMs);
          else to.write(part);
        } else {
          losing[lost].count -= 1;
          breakIt();
        }
      });
      from.on('error', breakIt).on('close', breakIt);
    };
    pass(client, server, 'requests');
    pass(server, client, 'answers');
  });
  const url = new URL(target);
  url.port = String(await listenLocally(proxy));

  const breakAll = () => {
    for (const [client, server] of pairs) {
      client.destroy();
      server.destroy();
    }
  };
  return {
    url: url.href,
    get turnedAway() {
      return turnedAway;
    },
    loseAnswers(count, holding = '') {
      losing.answers = { count, holding };
    },
    loseRequests(count, holding = '') {
      losing.requests = { count, holding };
    },
    swallowAnswers(holding) {
      swallowing = holding;
    },
    get swallowed() {
      return swallowed;
    },
    fallSilent() {
      for (const socket of [...pairs].flat()) silent.add(socket);
    },
    slowDown(byMs) {
      slowMs = byMs;
    },
    goAway() {
      away = true;
      breakAll();
    },
    restore() {
      away = false;
    },
    leadTo(other) {
      goal = new URL(other);
    },
    async close() {
      proxy.close();
      breakAll();
      await once(proxy, 'close');
    },
  };
}
