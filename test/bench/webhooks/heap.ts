import { once } from 'node:events';

const MB = 1024 * 1024;

/** Looks into a process that was started with `--inspect`. */
export interface Heap {
  /** Megabytes of its heap that are in use once all garbage is collected. */
  usedMb(): Promise<number>;
  close(): void;
}

export async function openHeap(inspectPort: number): Promise<Heap> {
  const answer = await fetch(`http://127.0.0.1:${inspectPort}/json/list`);
  const [{ webSocketDebuggerUrl }] = (await answer.json()) as [{ webSocketDebuggerUrl: string }];
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, 'open');
  let asked = 0;

  async function ask(method: string): Promise<Record<string, number>> {
    asked += 1;
    const id = asked;
    const answered = Promise.withResolvers<Record<string, number>>();
    const hear = ({ data }: MessageEvent) => {
      const told = JSON.parse(data);
      if (told.id !== id) return;
      socket.removeEventListener('message', hear);
      answered.resolve(told.result);
    };
    socket.addEventListener('message', hear);
    socket.send(JSON.stringify({ id, method }));
    return answered.promise;
  }

  return {
    async usedMb() {
      await ask('HeapProfiler.collectGarbage');
      const { usedSize } = await ask('Runtime.getHeapUsage');
      return (usedSize ?? Number.NaN) / MB;
    },
    close: () => socket.close(),
  };
}
