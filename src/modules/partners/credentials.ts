import { randomId, randomToken } from '#lib/random.ts';
import type { Environment } from '../../config.ts';

export const keyPrefix = (environment: Environment): string => `sk_${environment}_`;

/** 128 random bits: it keys R-Signature. */
export const newClientId = (): string => `pc_${randomId()}`;

/** 256 random bits, with the environment it is for in front. */
export const newApiKey = (environment: Environment): string => keyPrefix(environment) + randomToken();
