import { isAvailable } from '#modules/tags';
import type { Resources } from '../resources.ts';

/** `name`, or the first of name2, name3 … that nobody has. */
export async function freeHandle({ db, clock }: Pick<Resources, 'db' | 'clock'>, name: string): Promise<string> {
  for (let turn = 1; ; turn++) {
    const handle = turn === 1 ? name : `${name}${turn}`;
    if (await isAvailable(db, handle, clock.now())) return handle;
  }
}
