#!/usr/bin/env node
import { Command } from 'commander';
import { ConfigError } from '../config.ts';
import { DomainError } from '../lib/domain-error.ts';
import { healthCommand } from './health.ts';
import { ledgerCommand } from './ledger.ts';
import { migrateCommand } from './migrate.ts';
import { partnersCommand } from './partners.ts';
import { secretsCommand } from './secrets.ts';
import { walletsCommand } from './wallets.ts';

const program = new Command('paytag')
  .description(
    'The operator’s command line: the same operations as the operator API. Answers are JSON, but for tables made for reading.',
  )
  .version('0.1.0')
  .addCommand(migrateCommand())
  .addCommand(healthCommand())
  .addCommand(partnersCommand())
  .addCommand(walletsCommand())
  .addCommand(ledgerCommand())
  .addCommand(secretsCommand());

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof DomainError) console.error(`${error.code}: ${[error.message, ...error.errors].join('\n')}`);
  else console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}
