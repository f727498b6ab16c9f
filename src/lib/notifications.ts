import pg from 'pg';
import { withSettings } from './database.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** A connection that is silent for so long is probed (TCP keep-alive). */
const KEEP_ALIVE_AFTER_MS = 10_000;
/** Between two attempts to connect: the first, doubled after each failure, up to the longest. */
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 16_000;

interface Listener {
  /** Called with each notification's payload. */
  readonly onNotification: (payload: string) => void;
  /** Called when listening begins: notifications may have been missed before. */
  readonly onListening: () => void;
  /** Called when the connection breaks or cannot be opened. Another is opened by itself. */
  readonly onError: (error: unknown) => void;
}

/** Ends a connection that is broken, and so cannot end in good order. */
const abandon = (client: pg.Client): void => void client.end().catch(() => undefined);

/** Listens on a channel of PostgreSQL (LISTEN), over a connection of its own. */
export function listenTo(
  databaseUrl: string,
  channel: string,
  { onNotification, onListening, onError }: Listener,
): { close(): Promise<void> } {
  let isClosed = false;
  let retryMs = RETRY_MS;
  let retry: NodeJS.Timeout | undefined;
  let current = connect();

  async function connect(): Promise<pg.Client | undefined> {
    const client = new pg.Client({
      connectionString: withSettings(databaseUrl, { default_transaction_read_only: 'on' }),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      application_name: 'paytag-listen',
    });
    let isLost = false;
    const lose = (error: unknown) => {
      if (isLost || isClosed) return;
      isLost = true;
      onError(error);
      abandon(client);
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
    onListening();
    return client;
  }

  return {
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await (await current)?.end().catch(() => undefined); // it may be broken
    },
  };
}
