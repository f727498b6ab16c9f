import { createHmac } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const WAIT_MAX_MS = 60_000;

export interface Delivery {
  /** Whose webhook it is: the path it came to. */
  to: string;
  event: string;
  reference: string;
  body: Buffer;
  signature: string;
  /** What this receiver answered. */
  answered: number;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** The webhook receivers of this story, on this machine. The first request of all it refuses, as a server in trouble does. */
export async function startReceiver() {
  const received: Delivery[] = [];
  const news = new EventEmitter();
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const answered = received.length === 0 ? 500 : 200;
      const { event, reference } = JSON.parse(body.toString()) as { event: string; reference: string };
      const to = (request.url ?? '').slice(1);
      received.push({ to, event, reference, body, signature: String(request.headers['r-signature']), answered });
      response.writeHead(answered).end();
      news.emit('delivery');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const accepted = (holds: (delivery: Delivery) => boolean) =>
    received.find((delivery) => delivery.answered === 200 && holds(delivery));

  return {
    urlOf: (name: string) => `http://127.0.0.1:${port}/${name}`,
    received,
    /** Resolves to the first delivery, past or coming, that was accepted and `holds`. @throws when none comes in time */
    async until(holds: (delivery: Delivery) => boolean): Promise<Delivery> {
      let found = accepted(holds);
      if (found !== undefined) return found;
      for await (const _ of on(news, 'delivery', { signal: AbortSignal.timeout(WAIT_MAX_MS) })) {
        found = accepted(holds);
        if (found !== undefined) return found;
      }
      throw new Error('the webhook did not come');
    },
    close: () => server.close(),
  };
}

/** What a receiver does with every webhook before it believes it. */
export const isSignedBy = (clientId: string, { body, signature }: Delivery): boolean =>
  createHmac('sha512', clientId).update(body).digest('hex') === signature;
