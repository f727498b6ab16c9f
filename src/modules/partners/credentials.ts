import { randomId, randomToken } from '#lib/random.ts';

export const keyPrefix = (environment: string): string => `sk_${environment}_`;

/** 128 random bits: it keys R-Signature. */
export const newClientId = (): string => `pc_${randomId()}`;

/** 256 random bits, with the environment it is for in front. */
export const newApiKey = (environment: string): string => keyPrefix(environment) + randomToken();
