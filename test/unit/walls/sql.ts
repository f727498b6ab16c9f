import { frontDoor, type Rule, roomOf, type Source } from './source.ts';

const TABLES = /\/tables\.ts$/;
/** One for most rooms; a second, named for its half, where one grew too long. */
const STORE = /\/([a-z-]+-)?store\.ts$/;
/** What may hold SQL: a store, and what a room says of its own rows. */
const SQL = /\/(([a-z-]+-)?store|room)\.ts$/;

interface Foreign {
  readonly room: string;
  readonly table: string;
  /** Its name in the importing file. */
  readonly as: string;
}

/** A room's tables are used by other rooms for foreign keys, and for joins along them: in tables.ts and store.ts alone. */
export const tablesStayWithTheStores: Rule = (sources) => {
  const owned = tablesOf(sources);
  return sources.flatMap((source) => {
    const foreign = foreignTables(source, owned);
    const mayUse = roomOf(source.path) !== undefined && (TABLES.test(source.path) || SQL.test(source.path));
    if (mayUse) return [];
    return foreign.map(({ room, table }) => `${source.path} imports the table ${room}.${table}: ask ${room} instead`);
  });
};

/** A store joins another room's table only where its own tables refer to that one. */
export const joinsFollowForeignKeys: Rule = (sources) => {
  const owned = tablesOf(sources);
  const referred = new Map<string | undefined, Set<string>>();
  for (const source of sources.filter(({ path }) => TABLES.test(path))) {
    const names = foreignTables(source, owned).map(({ room, table }) => `${room}.${table}`);
    referred.set(roomOf(source.path), new Set(names));
  }
  return sources
    .filter(({ path }) => SQL.test(path))
    .flatMap((source) =>
      foreignTables(source, owned)
        .filter(({ room, table }) => !referred.get(roomOf(source.path))?.has(`${room}.${table}`))
        .map(({ room, table }) => `${source.path} joins ${room}.${table}, to which none of its own tables refers`),
    );
};

/** A table is written by its own room. */
export const tablesAreWrittenByTheirOwner: Rule = (sources) => {
  const owned = tablesOf(sources);
  const schemas = [...schemasOf(sources)];
  return sources.flatMap((source) => {
    const { path, code } = source;
    const writes = foreignTables(source, owned)
      .filter(({ as }) => new RegExp(`(\\.(insert|update|delete)\\(\\s*|${WRITE}\\$\\{\\s*)${as}\\b`, 'i').test(code))
      .map(({ room, table }) => `${path} writes the table ${room}.${table}`);
    const sql = schemas
      .filter(
        ({ schema, room }) => room !== roomOf(path) && new RegExp(`${WRITE}"?${schema}"?\\."?\\w`, 'i').test(code),
      )
      .map(({ room }) => `${path} writes the tables of ${room} in SQL`);
    return [...writes, ...sql];
  });
};

/** The ledger's operations are their SQL; an installation is asked about before a store can be. */
const SQL_IS_THE_STORY = /^src\/modules\/(ledger\/|keys\/(server-role|stamp-installation)\.ts$)/;

/** A room that has a store keeps its SQL there. */
export const sqlStaysInTheStore: Rule = (sources) => {
  const withStore = new Set(sources.filter(({ path }) => STORE.test(path)).map(({ path }) => roomOf(path)));
  return sources
    .filter(({ path }) => withStore.has(roomOf(path)) && roomOf(path) !== undefined)
    .filter(({ path }) => !TABLES.test(path) && !SQL.test(path) && !path.endsWith('/index.ts'))
    .filter(({ path }) => !SQL_IS_THE_STORY.test(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter(
          ({ isType, specifier }) => !isType && /^((drizzle-orm|#drizzle)(\/.*)?|pg|\.\/tables\.ts)$/.test(specifier),
        )
        .map(({ specifier }) => `${path} imports ${specifier}: this room keeps its SQL in store.ts`),
    );
};

const WRITE = '\\b(insert\\s+into|update|delete\\s+from|truncate)\\s+(only\\s+)?';

/** The names of the tables, views and sequences that each room exports. */
function tablesOf(sources: readonly Source[]): Map<string, Set<string>> {
  const declared = /export const (\w+)\s*=\s*(?:\w+\s*\.\s*(?:table|view|sequence)|pgTable)\s*\(/g;
  return new Map(
    sources
      .filter(({ path }) => TABLES.test(path))
      .map(({ path, code }) => [
        roomOf(path) ?? '',
        new Set([...code.matchAll(declared)].map(([, name = '']) => name)),
      ]),
  );
}

const schemasOf = (sources: readonly Source[]) =>
  sources
    .filter(({ path }) => TABLES.test(path))
    .flatMap(({ path, code }) =>
      [...code.matchAll(/pgSchema\(\s*'(\w+)'/g)].map(([, schema = '']) => ({ schema, room: roomOf(path) ?? '' })),
    );

/** The tables of other rooms that a file imports; all of them, where it imports everything. */
function foreignTables(source: Source, owned: Map<string, Set<string>>): Foreign[] {
  return source.imports.flatMap(({ specifier, names }) => {
    const room = frontDoor(specifier);
    if (room === undefined || room === roomOf(source.path)) return [];
    const tables = owned.get(room) ?? new Set();
    return names.flatMap(({ name, as }) =>
      name === '*'
        ? [...tables].map((table) => ({ room, table, as: `${as}\\.${table}` }))
        : tables.has(name)
          ? [{ room, table: name, as }]
          : [],
    );
  });
}

const RUN_AT_ONCE =
  /\btx\s*\.\s*(select|insert|update|delete|execute)\b|\bawait\s+db\s*\.\s*(select|insert|update|delete|execute)\b|\bpool\s*\.\s*query\b/;

/** Whether code sends a statement that it builds each time. */
export const buildsAsItRuns = (code: string): boolean => RUN_AT_ONCE.test(code);
const START = 'as a program starts, or keys are exchanged';
const WORKER = 'the worker runs it, or a check of all the books does';
const GATHERED = 'one statement for many callers, named where it is sent';

/** Files in which statements are built as they run, and why. */
export const unprepared: Readonly<Record<string, string>> = {
  'src/modules/customers/store.ts': WORKER,
  'src/modules/keys/rekey.ts': START,
  'src/modules/keys/data-key-store.ts': START,
  'src/modules/keys/server-role.ts': START,
  'src/modules/keys/stamp-installation.ts': START,
  'src/modules/ledger/maintenance.ts': WORKER,
  'src/lib/postgres/batch-calls.ts': GATHERED,
  'src/modules/ledger/holds.ts': WORKER,
  'src/modules/ledger/pending.ts': WORKER,
  'src/modules/outbox/store.ts': WORKER,
  'src/modules/proof/seal-store.ts': WORKER,
  'src/modules/webhooks/claim.ts': WORKER,
  'src/modules/webhooks/episode-store.ts': WORKER,
  'src/modules/webhooks/purge-store.ts': WORKER,
  'src/modules/webhooks/record.ts': WORKER,
};

/**
 * A statement of a request is built once and prepared (`lib/postgres/prepared.ts`): building one costs more than running it. What operations
 * send without a name all the same, `test/guards/named-statements.test.ts` sees.
 */
export const statementsArePrepared: Rule = (sources) =>
  sources
    .filter(({ path, code }) => roomOf(path) !== undefined && buildsAsItRuns(code))
    .filter(({ path }) => !(path in unprepared))
    .map(({ path }) => `${path} builds a statement as it runs: make it one of lib/postgres/prepared.ts`);
