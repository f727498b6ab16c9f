import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { keepStripped, strippedIn } from './stripped.js';

const SOURCE = new URL('./', import.meta.url).href;
const FOLDER = fileURLToPath(SOURCE);
/** Filled when the image is built; elsewhere, by the first process that ends. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/paytag', import.meta.url));
/** Written when the image is built. */
const STRIPPED = `${COMPILED}/stripped`;

/** @type {Map<string, import('node:module').ResolveFnOutput>} */
const packages = new Map();
/** Its text is 3 MB: gone with the next collection, unless something is loaded again before that. */
/** @type {WeakRef<ReturnType<typeof strippedIn>> | undefined} */
let kept;

/**
 * Imports modules of ours with all that they need, in half the time that `import()` alone takes. There is no build step, so a
 * start loads hundreds of small files: what was compiled of them is kept, and the names of our own files are made into places
 * here. Node would look each name up on the disk, with the package.json that it belongs to. A package is looked up for the
 * first of our files that imports it, and is the same one for the others.
 *
 * @template Module
 * @param {() => Promise<Module>} load calls `import()`
 * @returns {Promise<Module>}
 */
export function importQuickly(load) {
  enableCompileCache(COMPILED);
  return importLater(load);
}

/**
 * The same for what a program loads when it is first needed. Until it is loaded the event loop does nothing else.
 *
 * @template Module
 * @param {() => Promise<Module>} load calls `import()`
 * @returns {Promise<Module>}
 */
export function importLater(load) {
  const stripped = kept?.deref() ?? strippedIn(FOLDER, STRIPPED);
  kept = new WeakRef(stripped);
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const url = placeOf(specifier, context.parentURL);
      if (url !== undefined) return { url, format: 'module-typescript', shortCircuit: true };
      if (specifier.startsWith('.') || !context.parentURL?.startsWith(SOURCE)) return next(specifier, context);
      const name = `${specifier} ${context.conditions.join()}`;
      const found = packages.get(name) ?? { ...next(specifier, context), shortCircuit: true };
      packages.set(name, found);
      return found;
    },
    load(url, context, next) {
      const source = url.startsWith(SOURCE) ? stripped(url.slice(SOURCE.length)) : undefined;
      return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
    },
  });
  const loading = load(); // finds everything before it returns
  hooks.deregister(); // from here on it would only slow down what the packages load
  return loading;
}

/** Strips the types of all our files for those who start after this. */
export const stripForLater = () => keepStripped(FOLDER, STRIPPED);

/**
 * Where a module of ours is, as `imports` of package.json and relative names say it; undefined for a package.
 *
 * @param {string} specifier
 * @param {string | undefined} parent
 */
function placeOf(specifier, parent) {
  if (specifier.startsWith('#modules/')) return `${SOURCE}modules/${specifier.slice('#modules/'.length)}/index.ts`;
  if (!specifier.endsWith('.ts')) return undefined;
  return specifier.startsWith('#') ? SOURCE + specifier.slice(1) : new URL(specifier, parent).href;
}
