import { EventEmitter, on } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook } from 'paytag/client';

const WAIT_MAX_MS = 60_000;

export interface Delivery {
  /** Who received it: the path it was sent to. */
  to: string;
  event: string;
  reference: string;
  body: Buffer;
  headers: IncomingHttpHeaders;
  /** What this receiver answered. */
  answered: number;
}

export type WebhookReceiver = Awaited<ReturnType<typeof startReceiver>>;

/** Starts the receiver of all webhooks of this tour, on this machine. It answers the very first one with 500, so that it is sent again. */
export async function startReceiver() {
  const received: Delivery[] = [];
  const deliveries = new EventEmitter();
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const answered = received.length === 0 ? 500 : 200;
      const { event, reference } = JSON.parse(body.toString()) as { event: string; reference: string };
      const to = (request.url ?? '').slice(1);
      received.push({ to, event, reference, body, headers: request.headers, answered });
      response.writeHead(answered).end();
      deliveries.emit('delivery');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const accepted = (matches: (delivery: Delivery) => boolean) =>
    received.find((delivery) => delivery.answered === 200 && matches(delivery));

  return {
    urlOf: (name: string) => `http://127.0.0.1:${port}/${name}`,
    received,
    /** Waits for an accepted delivery that `matches`, unless it has come already. @throws Error when none comes in time */
    async until(matches: (delivery: Delivery) => boolean): Promise<Delivery> {
      let found = accepted(matches);
      if (found !== undefined) return found;
      for await (const _ of on(deliveries, 'delivery', { signal: AbortSignal.timeout(WAIT_MAX_MS) })) {
        found = accepted(matches);
        if (found !== undefined) return found;
      }
      throw new Error('the webhook did not come');
    },
    close: () => server.close(),
  };
}

/** Verifies a webhook, as every receiver must before it trusts one. @throws PayTagSignatureError */
export const verify = (clientId: string, { body, headers }: Delivery): boolean =>
  verifyWebhook({ body, headers, clientId }).id !== '';
