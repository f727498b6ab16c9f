import type pg from 'pg';
import { cut } from './watched-client.ts';
import { withTimeout } from './with-timeout.ts';

const END_MAX_MS = 1_000;

/**
 * Ends a connection in good order, and cuts it when that takes too long: the other end may not answer any more. Never rejects.
 *
 * @param maxMs with the time that what was asked may still take
 */
export async function endClient(client: pg.Client, maxMs: number = END_MAX_MS): Promise<void> {
  const ended = client.end().then(
    () => true,
    () => false,
  );
  if ((await withTimeout(ended, maxMs)) !== true) cut(client);
}
