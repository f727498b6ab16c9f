import { type RetentionDeps, retention } from '../../src/retention.ts';

/** Has everything forgotten of a table that is not kept any more at a moment, as a worker does by and by. Resolves to how many rows. */
export async function forget(deps: RetentionDeps, table: string, now: Date): Promise<number> {
  let forgotten = 0;
  for (const some of Object.values(retention.find((one) => one.table === table)?.forget ?? {})) {
    for (let isAll = false; !isAll; ) {
      const done = await some(deps, now);
      forgotten += done.rows;
      ({ isAll } = done);
    }
  }
  return forgotten;
}
