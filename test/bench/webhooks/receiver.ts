import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CountReport, CountRequest } from './receiver-process.ts';

const PROGRAM = fileURLToPath(new URL('receiver-process.ts', import.meta.url));

/** The receiver of webhooks, a process of its own. */
export interface Receiver {
  readonly origin: string;
  /** Counts requests from the start of `work` on, and resolves when `count` have come. */
  countDuring(request: CountRequest, work: () => Promise<unknown>): Promise<CountReport>;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const child = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [{ port }] = await once(child, 'message');
  return {
    origin: `http://127.0.0.1:${port}`,
    async countDuring(request, work) {
      const counting = once(child, 'message');
      child.send(request);
      await counting;
      const reported = once(child, 'message');
      await work();
      const [report] = await reported;
      return report;
    },
    close: () => child.disconnect(),
  };
}

/** Deliveries a second, from the first receipt to the last one. */
export const rateOf = (count: number, { firstMs, lastMs }: CountReport): number =>
  ((count - 1) * 1000) / (lastMs - firstMs);

const MB = 1024 * 1024;

/** The heap of another process, which was started with `--inspect`. */
export interface Heap {
  /** Collects all garbage and returns how many megabytes of the heap are in use. */
  usedMb(): Promise<number>;
  close(): void;
}

export async function openHeap(inspectPort: number): Promise<Heap> {
  const answer = await fetch(`http://127.0.0.1:${inspectPort}/json/list`);
  const [{ webSocketDebuggerUrl }] = (await answer.json()) as [{ webSocketDebuggerUrl: string }];
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, 'open');
  let lastId = 0;

  async function send(method: string): Promise<Record<string, number>> {
    lastId += 1;
    const id = lastId;
    const answered = Promise.withResolvers<Record<string, number>>();
    const onMessage = ({ data }: MessageEvent) => {
      const message = JSON.parse(data);
      if (message.id !== id) return;
      socket.removeEventListener('message', onMessage);
      answered.resolve(message.result);
    };
    socket.addEventListener('message', onMessage);
    socket.send(JSON.stringify({ id, method }));
    return answered.promise;
  }

  return {
    async usedMb() {
      await send('HeapProfiler.collectGarbage');
      const { usedSize } = await send('Runtime.getHeapUsage');
      return (usedSize ?? Number.NaN) / MB;
    },
    close: () => socket.close(),
  };
}
