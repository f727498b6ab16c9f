import pg from 'pg';

/** A statement, as node-postgres keeps it while it waits for its answer. */
export interface Asked {
  askedAt?: number;
  callback?: Answered | undefined;
  submit?: unknown;
}
type Answered = (error: Error | null, answer?: unknown) => void;

const Query = pg.Query as unknown as new (statement: unknown, values: unknown, answered: unknown) => Asked;
type Ask = (this: pg.Client, statement: unknown, values?: unknown, answered?: unknown) => unknown;
const clientPrototype = pg.Client.prototype as unknown as { query: Ask };

/**
 * As `query` of node-postgres, which has a timer for each statement and a promise of its own: what they close over kept a fifth
 * of all requests in memory until the next collection of everything, and took a third of the processor time of a read. Here a
 * statement only says when it was asked; whoever looks at the connections now and then ends what is late.
 */
export const askNotingWhen: Ask = function askNotingWhen(statement, values, answered) {
  if (typeof (statement as Asked).submit === 'function') {
    (statement as Asked).askedAt = performance.now();
    return clientPrototype.query.call(this, statement, values, answered);
  }
  if (typeof values === 'function' || typeof answered === 'function') {
    noting(this, new Query(statement, values, answered));
    return undefined;
  }
  return new Promise((resolve, reject) => {
    const settle: Answered = (error, answer) => (error ? reject(error) : resolve(answer));
    noting(this, new Query(statement, values, settle));
  }).catch(withOurStack);
};

function noting(client: pg.Client, asked: Asked): void {
  asked.askedAt = performance.now();
  clientPrototype.query.call(client, asked);
}

/** The stack leads to the socket that the error came from: one that leads to whoever asked says more. */
function withOurStack(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}
