import { createRequire } from 'node:module';

/** Makes a value at the first call and returns the same one at every later call. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/**
 * A package that is loaded at the first call: the heavy ones take a tenth of a second each, which a process that never
 * uses them need not spend. It is loaded synchronously, by `require`; asynchronous code can `await import()` instead.
 */
export const lazyPackage = <Package>(specifier: string): (() => Package) =>
  lazy(() => createRequire(import.meta.url)(specifier) as Package);

/** JSON Web Keys and tokens: 46 modules, which a process needs with the first token or document that it signs or verifies. */
export const jose = lazyPackage<typeof import('jose')>('jose');

/** The HTTP client. A server that delivers no webhooks, has only simulated providers and is sent no file never loads it. */
export const undici = lazyPackage<typeof import('undici')>('undici');
