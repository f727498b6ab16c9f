import { once } from 'node:events';
import { connect } from 'node:net';
import { workerData } from 'node:worker_threads';

// Callers in a thread of their own: each sends its request, and hangs up at once.

interface Callers {
  readonly port: number;
  readonly hostname: string;
  readonly requests: readonly string[];
  /** Says when all have hung up. */
  readonly haveGone: Int32Array<SharedArrayBuffer>;
}

const { port, hostname, requests, haveGone } = workerData as Callers;
await Promise.all(
  requests.map(async (request) => {
    const socket = connect(port, hostname);
    const closed = once(socket, 'close');
    socket.write(request, () => socket.destroy());
    await closed;
  }),
);
Atomics.store(haveGone, 0, 1);
Atomics.notify(haveGone, 0);
