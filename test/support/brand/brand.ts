import type { Brand } from '#lib/brand.ts';
import { readConfig } from '../../../src/config/config.ts';
import { validValues } from '../variables.ts';

const secrets = {
  OPERATOR_TOKEN: validValues['OPERATOR_TOKEN'] ?? '',
  MASTER_KEY: validValues['MASTER_KEY'] ?? '',
};

/** How a server with these variables shows itself. */
export const brandWith = (env: Record<string, string>): Brand => readConfig(secrets, env).brand;

/** The variables of an institution that has configured all there is, with a logo. */
export const zumaEnv = Object.fromEntries(
  Object.entries(validValues).filter(([name]) => name.startsWith('INSTITUTION_')),
);

/** A server on which nothing of the institution is configured. */
export const plainBrand = brandWith({});
export const zuma = brandWith(zumaEnv);
