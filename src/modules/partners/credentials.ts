import { randomId, randomToken } from '#lib/random.ts';

/** What every API key of an environment begins with. */
export const keyPrefix = (environment: string): string => `sk_${environment}_`;

/** 128 random bits, because R-Signature is keyed with it. */
export const newClientId = (): string => `pc_${randomId()}`;

/** 256 random bits after the prefix of the environment. */
export const newApiKey = (environment: string): string => keyPrefix(environment) + randomToken();
