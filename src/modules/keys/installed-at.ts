import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

const selectInstalledAt = preparedText<{ at: string }>(
  'installation.installed-at',
  `select to_json(created_at) #>> '{}' as at from installation.stamp`,
);

/** When this installation was made; undefined for a database that is not stamped yet. */
export async function installedAt(on: Executor): Promise<Date | undefined> {
  const [stamp] = await selectInstalledAt(on, []);
  return stamp && new Date(stamp.at);
}
