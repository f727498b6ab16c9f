import type { Database } from '#lib/postgres/executor.ts';
import { type InvariantState, type KindState, selectKinds, selectStates } from './integrity-store.ts';

/** How the last checks went, as every process sees it. */
export interface IntegrityState {
  invariants: InvariantState[];
  kinds: KindState[];
}

/** What the checks that ran have found: what a scrape of the metrics shows. */
export async function measureIntegrity(db: Database): Promise<IntegrityState> {
  const [invariants, kinds] = await Promise.all([selectStates(db), selectKinds(db)]);
  return { invariants, kinds };
}
