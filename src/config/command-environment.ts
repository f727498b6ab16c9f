import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The environment of a command that calls a server. */
export interface CommandEnvironment {
  /** PAYTAG_URL, PAYTAG_TOKEN and PAYTAG_PROFILE: the server and the credentials. Only commands read them. */
  url: string | undefined;
  token: string | undefined;
  profile: string | undefined;
  /** The folder of this user's profiles; undefined without a home. */
  configFolder: string | undefined;
  /** The server on this machine, which is the default. */
  local: {
    dataDir: string;
    /** Whether it is the embedded sandbox, whose folder holds its address. */
    embedded: boolean;
    port: string;
    operatorToken: string | undefined;
  };
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment without the table of the server's variables, which takes longer to load than a command may run. The server
 * itself checks its variables.
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
