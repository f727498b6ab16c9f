import { Command } from 'commander';
import { listSigningKeys, revokeSigningKey, rotateSigningKeys } from '#modules/signing-keys';
import { reason } from '#wire/text.ts';
import { ACTOR, parseWith, print } from './arguments.ts';
import { addDataKeyCommands } from './data-keys.ts';
import { withResources } from './with-resources.ts';

/** `paytag keys …`: the keys that sign tokens, and those that seal what is stored. */
export function keysCommand(): Command {
  const keys = new Command('keys').description('the keys that sign tokens, and those that seal what is stored');
  keys
    .command('rotate')
    .description('sign with the next key from now on; nobody is logged out')
    .requiredOption('--reason <reason>', 'why, for the audit log', parseWith(reason))
    .action(async (given: { reason: string }) => {
      print(await withResources((resources) => rotateSigningKeys(resources, { ...given, actor: ACTOR })));
    });
  keys
    .command('list')
    .description('print every key that signs tokens, newest first, and whether it verifies them')
    .action(async () => print(await withResources(listSigningKeys)));
  keys
    .command('revoke')
    .description('end a key that somebody else may have: within a second no token that it signed is good')
    .argument('<kid>', 'the key, as "paytag keys list" names it')
    .requiredOption('--reason <reason>', 'why, for the audit log', parseWith(reason))
    .action(async (kid: string, given: { reason: string }) => {
      print(await withResources((resources) => revokeSigningKey(resources, { ...given, kid, actor: ACTOR })));
    });
  addDataKeyCommands(keys);
  return keys;
}
