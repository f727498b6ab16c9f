import type { Rule } from './source.ts';

/** What every server needs from the start; and what commands alone load. */
const LOADED_AT_START =
  /^(zod|pg|pino|fastify|fastify-type-provider-zod|@fastify\/formbody|secure-json-parse|ipaddr\.js)$/;
const OF_COMMANDS = /^(commander|jose|paytag\/client)$/;
const PACKAGE = /^import (?!type )[^;]*?from '((?![.#]|node:)[^']+)';$/gm;

/** A package that a server may never use is loaded when it is first needed: by `lazyPackage` of lib/lazy.ts, or `await import()`. */
export const heavyPackagesWait: Rule = (sources) =>
  sources.flatMap(({ path, code }) => {
    const isAllowed = (name: string) =>
      LOADED_AT_START.test(name) || (path.startsWith('src/cli/') && OF_COMMANDS.test(name));
    return [...code.matchAll(PACKAGE)]
      .filter(([statement, name = '']) => !/^import \{(\s*type [^,}]*,?)+\s*\}/.test(statement) && !isAllowed(name))
      .map(([, name]) => `${path} loads ${name} as a server starts: make it wait (lib/lazy.ts)`);
  });

/** ICU takes tens of milliseconds for the first of each kind. */
export const formatsWait: Rule = (sources) =>
  sources
    .filter(({ code }) => /^(export )?const \w+(: [^=]+)? = new Intl\./m.test(code))
    .map(({ path }) => `${path} makes an Intl object as a server starts: make it wait (lib/lazy.ts)`);
