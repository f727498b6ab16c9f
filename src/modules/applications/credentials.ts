import { randomId, randomToken } from '#lib/random.ts';

/** 128 random bits: it keys the R-Signature of the application's webhooks. */
export const newClientId = (): string => `app_${randomId()}`;

/** 256 random bits, with the environment it is for in front. */
export const newClientSecret = (environment: string): string => `as_${environment}_${randomToken()}`;
