import { frontDoor, type Rule, roomOf } from './source.ts';

/** What a server takes from the environment, and what a command does that loads nothing of a server. */
const READERS = /^src\/config\/(command-)?environment\.ts$/;

/** The environment is read in one place. */
export const environmentIsReadOnce: Rule = (sources) =>
  sources
    .filter(
      ({ path, code }) =>
        !READERS.test(path) && /\bprocess\s*\??\.\s*env\b|\bprocess\s*\[|\benv\b[^;]*from 'node:process'/.test(code),
    )
    .map(({ path }) => `${path} reads process.env: a variable is read in src/config/`);

/** Time and chance come into the rules from outside, so that a test can set them. */
export const timeAndChanceComeIn: Rule = (sources) =>
  sources
    .filter(({ path }) => roomOf(path) !== undefined)
    .flatMap(({ path, code }) =>
      [...code.matchAll(/\bDate\s*\.\s*now\b|\bnew\s+Date\s*(\(\s*\)|(?![\w\s]*\())|\bMath\s*\.\s*random\b/g)].map(
        ([word]) => `${path} says ${word}: time comes from the clock, chance from lib/random`,
      ),
    );

/** No drawers into which anything goes. */
export const noJunkDrawers: Rule = (sources) =>
  sources
    .filter(({ path }) => /\/(utils?|helpers?|types|common|misc)(\.ts|\/)/.test(path))
    .map(({ path }) => `${path} says nothing of what is in it`);

/** A room has a front door. */
export const roomsHaveAFrontDoor: Rule = (sources) => {
  const paths = new Set(sources.map(({ path }) => path));
  const rooms = sources.map(({ path }) => roomOf(path)).filter((room) => room !== undefined);
  const asked = sources.flatMap(({ imports }) => imports.map(({ specifier }) => frontDoor(specifier)));
  const all = new Set([...rooms, ...asked.filter((room) => room !== undefined)]);
  return [...all].filter((room) => !paths.has(`src/modules/${room}/index.ts`)).map((room) => `${room} has no index.ts`);
};
