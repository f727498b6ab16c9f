import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a command that talks to a server takes from the environment. */
export interface CommandEnvironment {
  /** PAYTAG_URL, PAYTAG_TOKEN and PAYTAG_PROFILE: which server, and as whom. They are the client's own; no server reads them. */
  url: string | undefined;
  token: string | undefined;
  profile: string | undefined;
  /** Where this user's profiles are; undefined for whoever has no home. */
  configFolder: string | undefined;
  /** The server on this machine, for whoever names none. */
  local: {
    dataDir: string;
    /** Whether it is the embedded sandbox, which says in its folder where it answers. */
    embedded: boolean;
    port: string;
    operatorToken: string | undefined;
  };
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads it without the table of the server's variables, which takes longer to load than a command may run. What is wrong with a
 * server's own variables is for the server to say.
 */
export function commandEnvironment(env: Env = process.env): CommandEnvironment {
  const given = (name: string) => env[name] || secretIn(env[`${name}_FILE`]) || undefined;
  const home = env['XDG_CONFIG_HOME'] || (env['HOME'] ? join(env['HOME'], '.config') : undefined);
  return {
    url: given('PAYTAG_URL'),
    token: given('PAYTAG_TOKEN'),
    profile: given('PAYTAG_PROFILE'),
    configFolder: home === undefined ? undefined : join(home, 'paytag'),
    local: {
      dataDir: given('DATA_DIR') ?? '.data',
      embedded: !env['DATABASE_URL'] && !env['DATABASE_URL_FILE'] && (env['ENVIRONMENT'] || 'sandbox') === 'sandbox',
      port: given('OPERATOR_PORT') ?? given('PORT') ?? '3000',
      operatorToken: given('OPERATOR_TOKEN'),
    },
  };
}

function secretIn(file: string | undefined): string | undefined {
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
