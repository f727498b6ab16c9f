import { DomainError } from '#lib/domain-error.ts';
import type { Caches } from '#lib/postgres/caches.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { forgetAfterCommit, type Transact } from '#lib/postgres/transact.ts';
import { callers } from '#lib/security-events.ts';
import type { Disturbance, ProviderName, TakeDisturbance } from '../../providers/disturbance.ts';
import { countDisturbed, deleteDisturbance, putDisturbance, selectDisturbances, selectDisturbed } from './store.ts';

/** As triggers name it when another process has changed something. */
const CHANGES = 'sandbox';
const ALL = 'all';

/** How a simulator answers, and for how many more calls. */
export interface StandingDisturbance extends Disturbance {
  provider: ProviderName;
  timesLeft: number;
}

/** Which providers are simulated, as the configuration says it. */
interface Settings {
  providers: Record<'bvn' | 'bank' | 'phone' | 'email', { provider: string }>;
}

/**
 * Has a simulator answer the next calls that are made on behalf of a partner or an application in another way than it
 * would. Other owners are not affected.
 *
 * @throws DomainError PROVIDER_NOT_SIMULATED
 */
export async function disturbProvider(
  { transact, providers }: Settings & { transact: Transact },
  { ownerId, ...asked }: { ownerId: string } & StandingDisturbance,
): Promise<StandingDisturbance> {
  const { provider } = asked;
  if (providers[provider === 'messaging' ? 'phone' : provider].provider !== 'simulator') {
    throw new DomainError('PROVIDER_NOT_SIMULATED', `provider: ${provider} is not simulated here`);
  }
  await transact(async (tx) => {
    forgetAfterCommit(tx, CHANGES);
    await putDisturbance(tx, { ownerId, ...asked });
  });
  return asked;
}

/** Has a simulator answer as ever. @returns false when it did */
export async function calmProvider(
  { transact }: { transact: Transact },
  given: { ownerId: string; provider: ProviderName },
): Promise<boolean> {
  return transact(async (tx) => {
    forgetAfterCommit(tx, CHANGES);
    return (await deleteDisturbance(tx, given)).length > 0;
  });
}

/** What stands for a partner or an application. */
export async function listDisturbances({ db }: { db: Database }, ownerId: string): Promise<StandingDisturbance[]> {
  const rows = await selectDisturbances(db, { ownerId });
  return rows.map(({ provider, answer, delayMs, timesLeft }) => ({ provider, answer, delayMs, timesLeft }));
}

/**
 * How a simulator answers the next call. Who has asked for nothing costs nothing: who has is kept in
 * memory for less than a second.
 */
export function createDisturber({ db, caches }: { db: Database; caches: Caches }): TakeDisturbance {
  const disturbed = caches.open(CHANGES, async () => {
    const rows = await selectDisturbed(db, {});
    return new Map([[ALL, new Set(rows.map(({ ownerId, provider }) => `${ownerId} ${provider}`))]]);
  });
  return async (provider) => {
    const [, ownerId] = callers.getStore()?.principal?.split(':') ?? [];
    if (ownerId === undefined) return undefined;
    const all = await disturbed.get(ALL, () => true);
    if (all?.has(`${ownerId} ${provider}`) !== true) return undefined;
    const [met] = await countDisturbed(db, [ownerId, provider]);
    return met;
  };
}
