import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenLocally } from '../../../src/embedded/port.ts';
import type { Seeded } from '../../support/cases.ts';

/** How a receiver answers. */
export type Temper = 'good' | 'fickle' | 'bad';

/** What came for one event. */
export interface Seen {
  requests: number;
  accepted: number;
}

/** A receiver that remembers of each event how often it came, and not its body: a soak may take hours. */
export interface SoakReceiver {
  readonly url: string;
  /** By webhook-id. */
  readonly seen: ReadonlyMap<string, Seen>;
  /** What came with another signature than its bytes and its key have. */
  readonly forged: readonly string[];
  /** The key of R-Signature: known once the owner is made. */
  signedWith(clientId: string): void;
  /** Accepts whatever comes from now on. */
  heal(): void;
  close(): Promise<void>;
}

export async function startSoakReceiver(given: Temper, by: Seeded): Promise<SoakReceiver> {
  const seen = new Map<string, Seen>();
  const forged: string[] = [];
  let key = '';
  let temper = given;
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const id = String(request.headers['webhook-id']);
      const one = seen.get(id) ?? { requests: 0, accepted: 0 };
      seen.set(id, one);
      one.requests += 1;
      if (request.headers['r-signature'] !== createHmac('sha512', key).update(body).digest('hex')) forged.push(id);
      const isBad = temper === 'bad' || (temper === 'fickle' && by.chance(40));
      if (isBad && by.chance(20)) {
        request.socket.destroy();
        return;
      }
      if (!isBad) one.accepted += 1;
      response.writeHead(isBad ? by.pick([500, 503, 204, 302]) : by.pick([200, 201])).end();
    });
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    seen,
    forged,
    signedWith(clientId) {
      key = clientId;
    },
    heal() {
      temper = 'good';
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
