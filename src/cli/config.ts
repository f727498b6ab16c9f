import { Argument, Command } from 'commander';
import { createLog } from '#lib/log.ts';
import { openDatabase } from '#lib/postgres/database.ts';
import { assertServerRole } from '#modules/keys';
import type { Config } from '../config/config.ts';
import { exampleOf } from '../config/example.ts';
import { checkConfig } from '../config/load-config.ts';
import { variables } from '../config/variables.ts';
import { prepareDatabase } from '../prepare-database.ts';

/** `paytag config check` says what a server would say of its variables, and starts nothing; `config example` prints a `.env`. */
export const addConfigCommands = (config: Command): Command =>
  config.description('look at the configuration').addCommand(checkCommand()).addCommand(exampleCommand());

const exampleCommand = (): Command =>
  new Command('example')
    .description(
      'print a .env: every variable that must be set, with how it is made, then the others with their defaults',
    )
    .addArgument(new Argument('<environment>', 'what it is for').choices(variables.shape.ENVIRONMENT.options))
    .action((environment: Config['environment']) => console.log(exampleOf(environment)));

const checkCommand = (): Command =>
  new Command('check')
    .description('name every variable that is missing, unknown or not valid, and exit with 1 if there is one')
    .option('--database', 'look at the database of DATABASE_URL too, as a server does before it serves')
    .action(async (options: { database?: boolean }) => {
      const config = await checkConfig();
      if (options.database === true && config.databaseUrl !== undefined)
        await checkDatabase(config, config.databaseUrl);
      console.log(`the configuration is valid: ${config.environment}, role ${config.role}`);
    });

/** @throws InstallationMismatch for the database of another installation, one that is behind, and in live for a role that may too much */
async function checkDatabase(config: Config, url: string): Promise<void> {
  await prepareDatabase({ url, ownerUrl: undefined }, { ...config, migrate: 'never' });
  const { db, ...database } = openDatabase(config.databaseDirectUrl ?? url, 1, () => undefined);
  try {
    await assertServerRole(db, config.environment, createLog('warn'));
  } finally {
    await database.close();
  }
}
