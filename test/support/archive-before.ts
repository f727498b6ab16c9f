import { archiveMonths } from '#modules/archives';
import type { TestApp } from './app.ts';
import { asOwner } from './database.ts';
import { nameOf } from './past-months.ts';

/** Archives as the command does, with the owner's login. */
export const archiveBefore = (
  { resources: { databaseUrl, keyring, clock } }: TestApp,
  directory: string,
  { before, drop = false, dryRun = false }: { before: Date; drop?: boolean; dryRun?: boolean },
  progress: (step: string) => void,
): Promise<string[]> =>
  archiveMonths(
    { databaseUrl: asOwner(databaseUrl), keyring, clock },
    {
      before: nameOf(before),
      directory,
      drop,
      dryRun,
      actor: 'cli',
      reason: 'closed',
      progress: (part, step) => progress(`${part}: ${step}`),
    },
  );
