import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import { isAvailable } from '#modules/tags';

/** `name`, or the first of name2, name3 … that nobody has. */
export async function freeHandle({ db, clock }: { db: Database; clock: Clock }, name: string): Promise<string> {
  for (let turn = 1; ; turn++) {
    const handle = turn === 1 ? name : `${name}${turn}`;
    if (await isAvailable(db, handle, clock.now())) return handle;
  }
}
