import type { Clock } from '#lib/clock.ts';
import { randomId, randomToken } from '#lib/random.ts';

/** What every API key of an environment begins with. */
export const keyPrefix = (environment: string): string => `sk_${environment}_`;

/** As long as a link to a new secret. */
const FIRST_KEY_MS = 72 * 60 * 60 * 1000;

/** Of partners that were made until then the first key is over, which whoever made them has seen: in live alone. Null: of none. */
export const firstKeyIsOver = ({ clock, environment }: { clock: Clock; environment: string }): Date | null =>
  environment === 'live' ? new Date(clock.now().getTime() - FIRST_KEY_MS) : null;

/** 128 random bits, because R-Signature is keyed with it. */
export const newClientId = (): string => `pc_${randomId()}`;

/** 256 random bits after the prefix of the environment. */
export const newApiKey = (environment: string): string => keyPrefix(environment) + randomToken();
