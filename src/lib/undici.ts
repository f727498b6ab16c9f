import { lazyPackage } from './lazy.ts';

/** The HTTP client. A server that delivers no webhooks, has only simulated providers and is sent no file never loads it. */
export const undici = lazyPackage<typeof import('undici')>('undici');
