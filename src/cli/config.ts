import { Command } from 'commander';
import { checkConfig } from '../config/load-config.ts';

/** `paytag config check`: says what a server would say of its variables, and starts nothing. */
export const configCommand = (): Command =>
  new Command('config').description('look at the configuration').addCommand(
    new Command('check')
      .description('name every variable that is missing, unknown or not valid, and exit with 1 if there is one')
      .action(async () => {
        const { environment, role } = await checkConfig();
        console.log(`the configuration is valid: ${environment}, role ${role}`);
      }),
  );
