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
