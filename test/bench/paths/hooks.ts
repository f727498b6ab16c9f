import { createHmac, randomUUID } from 'node:crypto';
import type { Row } from '../table.ts';
import { PAYSTACK_KEY, type World } from '../world/world.ts';
import { besideBare } from './beside-bare.ts';

const CONNECTIONS = 64;
/** Messages that are signed before the clock starts, for each millisecond: more than can be taken. */
const PER_MS = 12;

/** What a provider tells us, stored for a worker to book; each message is another one. */
export const hooks = (world: World, seconds: number, isWanted: (what: string) => boolean): AsyncGenerator<Row> =>
  besideBare(world, seconds, isWanted, () => [
    {
      what: 'POST hooks/paystack',
      ceiling: 'write',
      ours: (ms) => {
        const requests = Array.from({ length: Math.ceil(ms * PER_MS) }, message);
        return world.load.run({ port: world.server.port, connections: CONNECTIONS, ms, requests, once: true });
      },
    },
  ]);

/** A whole request, as Paystack sends it. @see https://paystack.com/docs/payments/webhooks */
function message(): string {
  const data = { reference: randomUUID(), amount: 100_000, currency: 'NGN', status: 'success', transfer_code: 'TRF_1' };
  const body = JSON.stringify({ event: 'transfer.success', data: { ...data, reason: 'x'.repeat(400) } });
  const signature = createHmac('sha512', PAYSTACK_KEY).update(body).digest('hex');
  const head = ['POST /hooks/paystack HTTP/1.1', 'host: 127.0.0.1', 'content-type: application/json'];
  return `${head.join('\r\n')}\r\nx-paystack-signature: ${signature}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}
