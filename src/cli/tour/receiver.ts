import { createHmac } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const WAIT_MAX_MS = 20_000;

export interface Delivery {
  event: string;
  body: Buffer;
  signature: string;
  /** What this receiver answered. */
  answered: number;
}

/** A partner's webhook receiver on this machine: it refuses the first request, as a server in trouble does. */
export async function startReceiver() {
  const received: Delivery[] = [];
  const news = new EventEmitter();
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const answered = received.length === 0 ? 500 : 200;
      const { event } = JSON.parse(body.toString()) as { event: string };
      received.push({ event, body, signature: String(request.headers['r-signature']), answered });
      response.writeHead(answered).end();
      news.emit('delivery');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    received,
    /** Resolves when `holds`. @throws when it does not in time */
    async until(holds: () => boolean): Promise<void> {
      if (holds()) return;
      for await (const _ of on(news, 'delivery', { signal: AbortSignal.timeout(WAIT_MAX_MS) })) {
        if (holds()) return;
      }
    },
    close: () => server.close(),
  };
}

/** What a partner does with every webhook before it believes it. */
export const isSignedBy = (clientId: string, { body, signature }: Delivery): boolean =>
  createHmac('sha512', clientId).update(body).digest('hex') === signature;
