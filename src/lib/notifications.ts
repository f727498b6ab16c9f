import pg from 'pg';
import { withSettings } from './database.ts';
import { endClient } from './end-client.ts';
import { cut } from './watched-client.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** A connection that is silent for so long is probed (TCP keep-alive). */
const KEEP_ALIVE_AFTER_MS = 10_000;
/** Between two attempts to connect: the first, doubled after each failure, up to the longest. */
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 4_000;
/** Nothing is heard on a quiet channel, nor on a dead connection: so often PostgreSQL is asked, */
const HEARTBEAT_MS = 5_000;
/** and has so long to answer. */
const HEARTBEAT_MAX_MS = 4_000;

interface Listener {
  /** Called with each notification's payload. */
  readonly onNotification: (payload: string) => void;
  /** Called when listening begins: notifications may have been missed before. */
  readonly onListening: () => void;
  /** Called when the connection breaks or cannot be opened. Another is opened by itself. */
  readonly onError: (error: unknown) => void;
}

/** Listens on a channel of PostgreSQL (LISTEN), over a connection of its own. */
export function listenTo(
  databaseUrl: string,
  channel: string,
  { onNotification, onListening, onError }: Listener,
): { close(): Promise<void> } {
  let isClosed = false;
  let retryMs = RETRY_MS;
  let retry: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let current = connect();

  async function connect(): Promise<pg.Client | undefined> {
    const client = new pg.Client({
      connectionString: withSettings(databaseUrl, { default_transaction_read_only: 'on' }),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      query_timeout: HEARTBEAT_MAX_MS,
      application_name: 'paytag-listen',
    });
    let isLost = false;
    const lose = (error: unknown) => {
      if (isLost || isClosed) return;
      isLost = true;
      clearInterval(heartbeat);
      onError(error);
      cut(client);
      retry = setTimeout(() => {
        current = connect();
      }, retryMs).unref();
      retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
    };
    client.on('error', lose);
    client.on('end', () => lose(new Error('the connection ended')));
    client.on('notification', ({ payload = '' }) => onNotification(payload));
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      lose(error);
      return undefined;
    }
    retryMs = RETRY_MS;
    heartbeat = setInterval(() => void client.query('select').catch(lose), HEARTBEAT_MS).unref();
    onListening();
    return client;
  }

  return {
    async close() {
      isClosed = true;
      clearTimeout(retry);
      clearInterval(heartbeat);
      const client = await current;
      if (client !== undefined) await endClient(client);
    },
  };
}
