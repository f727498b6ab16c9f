import { createRequire } from 'node:module';

/** Makes a value when it is first asked for, and gives the same one ever after. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/**
 * A package that is loaded when it is first needed: the heavy ones take a tenth of a second each, which a process that
 * never uses them need not spend. For code that cannot wait; what can, imports the package where it uses it.
 */
export const lazyPackage = <Package>(specifier: string): (() => Package) =>
  lazy(() => createRequire(import.meta.url)(specifier) as Package);
