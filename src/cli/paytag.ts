#!/usr/bin/env node
import { Command } from 'commander';

const commands: Record<string, () => Promise<Command>> = {
  migrate: async () => (await import('./migrate.ts')).migrateCommand(),
  health: async () => (await import('./health.ts')).healthCommand(),
  partners: async () => (await import('./partners.ts')).partnersCommand(),
  wallets: async () => (await import('./wallets.ts')).walletsCommand(),
  ledger: async () => (await import('./ledger.ts')).ledgerCommand(),
  webhooks: async () => (await import('./webhooks.ts')).webhooksCommand(),
  keys: async () => (await import('./keys.ts')).keysCommand(),
  secrets: async () => (await import('./secrets.ts')).secretsCommand(),
};

const program = new Command('paytag')
  .description(
    'The operator’s command line: the same operations as the operator API. Answers are JSON, but for tables made for reading.',
  )
  .version('0.1.0');

// A container asks for its health every few seconds: a command that was named is loaded alone.
const named = commands[process.argv[2] ?? ''];
for (const load of named === undefined ? Object.values(commands) : [named]) program.addCommand(await load());

try {
  await program.parseAsync();
} catch (error) {
  const { startFailure } = await import('../start-failure.ts');
  console.error(startFailure(error));
  process.exitCode = 1;
}
