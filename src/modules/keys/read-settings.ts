import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

/** The migrations that were applied: how many, the last one, and the version that applied it. */
const selectSchema = preparedText<{ applied: number; latest: string | null; version: string | null }>(
  'installation.schema',
  `select count(*)::int as applied, (array_agg(tag order by created_at desc))[1] as latest,
      (array_agg(version order by created_at desc))[1] as version
    from drizzle.__drizzle_migrations`,
);

/** What tells one process of a server from another. */
export interface ProcessFacts {
  version: string;
  node: string;
  host: string;
  pid: number;
  startedAt: Date;
}

/** What the database has. */
export interface Schema {
  /** How many migrations were applied. */
  applied: number;
  /** The last of them, and the version that applied it. */
  latest: string | undefined;
  appliedBy: string | undefined;
}

/** The settings of this process, whoever asks: others may have others. And the schema of the database that all share. */
export async function readSettings<Setting>(
  { processFacts, settings }: { processFacts: ProcessFacts; settings: readonly Setting[] },
  db: Executor,
): Promise<{ process: ProcessFacts; schema: Schema; settings: readonly Setting[] }> {
  const [row] = await selectSchema(db, []);
  const schema = {
    applied: row?.applied ?? 0,
    latest: row?.latest ?? undefined,
    appliedBy: row?.version ?? undefined,
  };
  return { process: processFacts, schema, settings };
}
