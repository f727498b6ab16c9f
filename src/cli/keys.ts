import { Command } from 'commander';
import { rotateSigningKeys } from '#modules/signing-keys';
import { reason } from '#wire/text.ts';
import { ACTOR, parseWith, print } from './arguments.ts';
import { withResources } from './with-resources.ts';

/** `paytag keys …`: the keys that sign tokens. */
export function keysCommand(): Command {
  const keys = new Command('keys').description('the keys that sign tokens');
  keys
    .command('rotate')
    .description('sign with the next key from now on; nobody is logged out')
    .requiredOption('--reason <reason>', 'why, for the audit log', parseWith(reason))
    .action(async (given: { reason: string }) => {
      print(await withResources((resources) => rotateSigningKeys(resources, { ...given, actor: ACTOR })));
    });
  return keys;
}
