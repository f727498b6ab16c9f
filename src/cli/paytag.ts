#!/usr/bin/env node
import { Command } from 'commander';
import { importQuickly } from '../quick-loading.js';
import { version } from '../version.ts';

const commands: Record<string, () => Promise<Command>> = {
  migrate: async () => (await import('./migrate.ts')).migrateCommand(),
  config: async () => (await import('./config.ts')).configCommand(),
  health: async () => (await import('./health.ts')).healthCommand(),
  partners: async () => (await import('./partners.ts')).partnersCommand(),
  wallets: async () => (await import('./wallets.ts')).walletsCommand(),
  payouts: async () => (await import('./payouts.ts')).payoutsCommand(),
  ledger: async () => (await import('./ledger.ts')).ledgerCommand(),
  webhooks: async () => (await import('./webhooks.ts')).webhooksCommand(),
  keys: async () => (await import('./keys.ts')).keysCommand(),
  listen: async () => (await import('./listen.ts')).listenCommand(),
  secrets: async () => (await import('./secrets.ts')).secretsCommand(),
};

const program = new Command('paytag')
  .description(
    'The operator’s command line. It sets up an installation, and offers those operations of the operator API that are done by hand most. Answers are JSON; ledger check prints a table.',
  )
  .version(version);

// Only the command that is named is loaded: a container runs its health check every few seconds.
const named = commands[process.argv[2] ?? ''];
for (const load of named === undefined ? Object.values(commands) : [named])
  program.addCommand(await importQuickly(load));

try {
  await program.parseAsync();
} catch (error) {
  const { startFailure } = await import('../start-failure.ts');
  console.error(startFailure(error));
  process.exitCode = 1;
}
