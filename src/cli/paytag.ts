#!/usr/bin/env node
import { Command } from 'commander';
import { ConfigError } from '../config.ts';
import { DomainError } from '../lib/domain-error.ts';
import { healthCommand } from './health.ts';
import { migrateCommand } from './migrate.ts';
import { partnersCommand } from './partners.ts';
import { secretsCommand } from './secrets.ts';

const program = new Command('paytag')
  .description('The operator’s command line: the same operations as the operator API. Answers are JSON.')
  .version('0.1.0')
  .addCommand(migrateCommand())
  .addCommand(healthCommand())
  .addCommand(partnersCommand())
  .addCommand(secretsCommand());

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof DomainError) console.error(`${error.code}: ${[error.message, ...error.errors].join('\n')}`);
  else console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}
