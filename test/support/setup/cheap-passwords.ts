import { createRequire } from 'node:module';

type Argon2 = typeof import('@node-rs/argon2');

/** The least that Argon2 does. */
const cost = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const;
const cheap = Symbol.for('paytag: passwords are hashed at the least cost');

/**
 * Passwords of the tests' own process are hashed by the same package at the least cost: 11 ms each would be a tenth of what a run
 * computes. A verification costs what the hash says. `test/unit/customers/password.test.ts`, which runs without this, holds
 * what a password really costs, and servers that are processes of their own pay it.
 */
const argon2: Argon2 & { [cheap]?: true } = createRequire(import.meta.url)('@node-rs/argon2');
if (argon2[cheap] === undefined) {
  const { hash } = argon2;
  argon2.hash = (password, options, signal) => hash(password, { ...options, ...cost }, signal);
  argon2[cheap] = true; // the package stays loaded for all files of a worker
}
