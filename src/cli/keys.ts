import type { Command } from 'commander';
import { destroyRetiredKeys, listDataKeys, rekey, rewrapDataKeys } from '#modules/keys';
import { reason } from '#wire/text.ts';
import { sealedColumns } from '../rooms.ts';
import { ACTOR, parseWith, print } from './terminal.ts';
import { withResources } from './with-resources.ts';

/** `paytag keys data`, `rekey`, `destroy` and `rewrap`: the keys that seal what is stored. */
export function addDataKeyCommands(keys: Command): void {
  keys
    .command('data')
    .description(
      'print every key that encrypts, indexes or signs stored values, and how many values each has encrypted',
    )
    .action(async () => print(await withResources((resources) => listDataKeys(resources, sealedColumns))));
  withReason(keys.command('rekey'))
    .description(
      'encrypt all stored values again with a new key, while the server runs; a stopped run resumes when it is started again',
    )
    .action(async (given: { reason: string }) => {
      const stop = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
      const rekeyed = await withResources(
        (resources) =>
          rekey(
            resources,
            { ...given, actor: ACTOR },
            {
              columns: sealedColumns,
              signal: stop.signal,
              progress: ({ table, column, sealed, left }) =>
                console.error(`${table}.${column}: ${sealed} encrypted again, ${left} left`),
            },
          ),
        AS_OWNER,
      );
      print(rekeyed);
      if (rekeyed.left > 0) process.exitCode = 1;
    });
  withReason(keys.command('destroy'))
    .description('destroy retired keys that no stored value uses')
    .action(async (given: { reason: string }) => {
      print(
        await withResources(
          (resources) => destroyRetiredKeys(resources, { ...given, actor: ACTOR }, sealedColumns),
          AS_OWNER,
        ),
      );
    });
  withReason(keys.command('rewrap'))
    .description('wrap every key with MASTER_KEY, or Vault’s key, in place of MASTER_KEY_PREVIOUS')
    .action(async (given: { reason: string }) => {
      print(await withResources((resources) => rewrapDataKeys(resources, { ...given, actor: ACTOR }), AS_OWNER));
    });
}

/** The server's role may not change keys. */
const AS_OWNER = { asOwner: true };

const withReason = (command: Command): Command =>
  command.requiredOption('--reason <reason>', 'why, for the audit log', parseWith(reason));
