import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadOrder, LoadReport } from './load-process.ts';

const PROGRAM = fileURLToPath(new URL('load-process.ts', import.meta.url));

/** Clients in a process of their own. */
export interface Load {
  /** Sends requests for a while. @throws Error when one is answered with anything but success */
  run(order: LoadOrder): Promise<LoadReport>;
  close(): void;
}

export function startLoad(): Load {
  const child = fork(PROGRAM, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return {
    async run(order) {
      const reported = once(child, 'message');
      child.send(order);
      const [report] = await reported;
      if (report.failure !== undefined) throw new Error(report.failure);
      return report;
    },
    close: () => child.disconnect(),
  };
}

/** A whole request, with its head, as it is sent. */
export function wire(
  method: 'GET' | 'POST',
  path: string,
  headers: Record<string, string> = {},
  body?: object,
): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const all = {
    host: '127.0.0.1',
    ...headers,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(text)) }),
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${text}`;
}
