import { readConfig } from '../../../src/config/config.ts';
import { ConfigError } from '../../../src/config/environment.ts';

/** The lines with which this environment is refused. `made` is what an embedded sandbox made for itself. */
export function refused(env: Record<string, string>, made: Record<string, string> = {}): string {
  try {
    readConfig(made, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}
