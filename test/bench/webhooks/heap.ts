import { once } from 'node:events';

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
