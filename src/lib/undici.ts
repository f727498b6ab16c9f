import { lazyPackage } from './lazy.ts';

/** The HTTP client. A server that delivers no webhooks and has only simulated providers never loads it. */
export const undici = lazyPackage<typeof import('undici')>('undici');
