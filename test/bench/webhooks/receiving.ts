import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Ask, Report } from './receiver.ts';

const PROGRAM = fileURLToPath(new URL('receiver.ts', import.meta.url));

/** The receiver in a process of its own. */
export interface Receiving {
  readonly origin: string;
  /** Counts what comes while `work` runs and after, and resolves when `count` requests have come. */
  during(ask: Ask, work: () => Promise<unknown>): Promise<Report>;
  close(): void;
}

export async function startReceiving(): Promise<Receiving> {
  const child = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [{ port }] = await once(child, 'message');
  return {
    origin: `http://127.0.0.1:${port}`,
    async during(ask, work) {
      const counting = once(child, 'message');
      child.send(ask);
      await counting;
      const reported = once(child, 'message');
      await work();
      const [report] = await reported;
      return report;
    },
    close: () => child.disconnect(),
  };
}

/** Deliveries a second, from the first receipt to the last. */
export const rateOf = (count: number, { firstMs, lastMs }: Report): number => ((count - 1) * 1000) / (lastMs - firstMs);
