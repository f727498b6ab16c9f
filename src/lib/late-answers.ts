import type pg from 'pg';
import type { Asked } from './ask.ts';
import { answerMsOf, cut } from './watched-client.ts';

/** What we use of a client beside what `pg` describes. */
interface Waiting {
  readonly _activeQuery: Asked | null;
  readonly _sentQueryQueue: readonly Asked[];
  readonly _queryQueue: readonly Asked[];
}

/**
 * Has what waited for longer than its connection is to be waited for fail, and ends the connection. First what has come is read:
 * this process may have been held up itself.
 */
export function endLate(clients: ReadonlyMap<pg.Client, unknown>): void {
  if (![...clients.keys()].some((client) => lateOn(client).length > 0)) return;
  setImmediate(() => {
    for (const client of clients.keys()) {
      const late = lateOn(client);
      if (late.length === 0) continue;
      for (const asked of late) giveUp(asked);
      cut(client);
    }
  });
}

function lateOn(client: pg.Client): Asked[] {
  const before = performance.now() - answerMsOf(client);
  const isLate = ({ askedAt = Number.POSITIVE_INFINITY }: Asked) => askedAt <= before;
  const { _activeQuery: active, _sentQueryQueue: sent, _queryQueue: queued } = client as unknown as Waiting;
  if (active === null || !isLate(active)) return []; // they are answered in turn: it was asked first
  return [active, ...sent, ...queued].filter(isLate);
}

function giveUp(asked: Asked): void {
  const { callback } = asked;
  asked.callback = () => undefined;
  callback?.(new Error('Query read timeout'));
}
