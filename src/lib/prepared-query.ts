import type { Duplex } from 'node:stream';
import pg from 'pg';

/**
 * A prepared statement on a pipelined connection, for less than node-postgres takes for one. What a statement's rows look like
 * is asked once on each connection, where node-postgres has it described and reads the description each time; PostgreSQL
 * refuses a statement whose rows have changed since (`cached plan must not change result type`). And what is asked in one
 * turn of the event loop goes out together, in one write to the socket.
 */
export function askPrepared(client: pg.Client, query: PreparedText, values: unknown[], answered: Answered): void {
  client.query(new PreparedQuery(query, values) as unknown as pg.QueryConfig, answered as () => void);
}

/** Called once, with an error or with the answer. */
export type Answered = (error: Error | null, answer?: Answer) => void;

/** A statement with its name, and how node-postgres is to read its rows. */
export interface PreparedText {
  readonly name: string;
  readonly text: string;
  readonly rowMode?: 'array';
  readonly types?: pg.CustomTypesConfig;
}

/** What reads use of a result of node-postgres. */
export interface Answer {
  readonly rows: unknown[];
}

/** How the rows of a statement are read. */
interface RowReader {
  addFields(fields: readonly unknown[]): void;
  parseRow(fields: readonly (string | null)[]): unknown;
}

/** What we use of a connection of node-postgres, as its own queries and `pg-cursor` do. */
interface Connection {
  readonly stream: Duplex;
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void;
  describe(message: { type: 'P' }): void;
  execute(): void;
  sync(): void;
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;
const Result = pg.Result as unknown as new (rowMode: string | undefined, types: unknown) => RowReader;
/** By connection and name of the statement: kept for as long as the statement is prepared there. */
const readers = new WeakMap<Connection, Map<string, RowReader>>();

function readersOf(connection: Connection): Map<string, RowReader> {
  let known = readers.get(connection);
  if (known === undefined) readers.set(connection, (known = new Map()));
  return known;
}

class PreparedQuery {
  /** Empty where nothing is left prepared: then it is parsed each time. */
  name: string;
  readonly text: string;
  /** Set by the client that it is given to. */
  callback: Answered | undefined;
  readonly #query: PreparedText;
  readonly #values: unknown[];
  readonly #rows: unknown[] = [];
  #known: Map<string, RowReader> | undefined;
  #reader: RowReader | undefined;
  #failure: Error | undefined;

  constructor(query: PreparedText, values: unknown[]) {
    this.name = query.name;
    this.text = query.text;
    this.#query = query;
    this.#values = values;
  }

  submit(connection: Connection): Error | null {
    const { name, text } = this;
    this.#known = readersOf(connection);
    this.#reader = this.#known.get(name || text);
    sendTogether(connection.stream);
    if (name === '') connection.parse({ name, text });
    else if (
      connection.parsedStatements[name] === undefined &&
      connection.submittedNamedStatements[name] === undefined
    ) {
      connection.parse({ name, text });
      connection.submittedNamedStatements[name] = text;
    }
    try {
      connection.bind({ statement: name, values: this.#values, valueMapper: prepareValue });
    } catch (error) {
      connection.sync(); // what was sent is answered, and so is this
      this.#failure = error as Error;
      return null;
    }
    if (this.#reader === undefined) connection.describe({ type: 'P' });
    connection.execute();
    connection.sync();
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly unknown[] }): void {
    this.#reader = new Result(this.#query.rowMode, this.#query.types);
    this.#reader.addFields(fields);
    this.#known?.set(this.name || this.text, this.#reader);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#failure !== undefined) return;
    try {
      this.#rows.push(this.#reader?.parseRow(fields));
    } catch (error) {
      this.#failure = error as Error;
    }
  }

  handleCommandComplete(): void {}

  handleEmptyQuery(): void {}

  handleError(error: Error): void {
    this.#end(this.#failure ?? error);
  }

  handleReadyForQuery(): void {
    if (this.#failure !== undefined) this.handleError(this.#failure);
    else this.#end(null, { rows: this.#rows });
  }

  #end(error: Error | null, answer?: Answer): void {
    const { callback } = this;
    this.callback = undefined;
    callback?.(error, answer);
  }
}

// Only what descends from its own may be pipelined: other queries could keep a portal open, and this one keeps none. What its own
// prepares for each query, this one does not need.
Object.setPrototypeOf(PreparedQuery.prototype, pg.Query.prototype);

const gathering = new WeakSet<Duplex>();

/** Whether something was asked over a connection in this turn of the event loop: what is asked next goes out with it. */
export const isGathering = ({ connection }: pg.Client): boolean => gathering.has(connection.stream);

/** Keeps what is written to a socket in this turn of the event loop, until all who are answered in it have asked theirs. */
function sendTogether(stream: Duplex): void {
  if (gathering.has(stream)) return;
  gathering.add(stream);
  stream.cork();
  setImmediate(() => {
    gathering.delete(stream);
    stream.uncork();
  });
}
