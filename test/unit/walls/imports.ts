import { frontDoor, type Rule, roomOf, type Source } from './source.ts';

/** What the rooms never ask: the wire, the queue's worker and the programs that put everything together. */
const OUTSIDE = /^src\/(config|routes|http|wire|worker|cli|demo|embedded|metrics|tracing)\/|^src\/[^/]+\.ts$/;
/** The programs, which put everything together. Nothing else knows the bag of all that was built. */
const PROGRAMS = /^src\/(composition|server|app|operator-app)\.ts$|^src\/(cli|worker)\//;
const COMPOSITION = 'src/composition.ts';
/** Who may know what is configured, docs to describe it: the rest is given the values it needs, in its own words. */
const KNOWS_CONFIG = /^src\/[^/]+\.ts$|^src\/(config|cli|docs|providers)\//;

/** Another room is entered by its front door, `#modules/<name>`, and nowhere else. */
export const roomsAreEnteredByTheFrontDoor: Rule = (sources) =>
  each(sources, ({ path }, { specifier, file }) => {
    if (specifier.startsWith('#modules/') && frontDoor(specifier) === undefined) {
      return `${path} imports ${specifier}: a room is entered by #modules/<name>`;
    }
    const room = roomOf(file ?? '');
    if (room !== undefined && room !== roomOf(path))
      return `${path} imports ${specifier}: the way in is #modules/${room}`;
    if (frontDoor(specifier) !== undefined && frontDoor(specifier) === roomOf(path)) {
      return `${path} imports its own front door, ${specifier}`;
    }
    return undefined;
  });

/** lib/ knows nothing of the project. */
export const libIsAlone: Rule = (sources) =>
  each(within(sources, 'src/lib/'), ({ path }, { specifier, file }) => {
    const isOurs = specifier.startsWith('#modules/') || (file !== undefined && !file.startsWith('src/lib/'));
    return isOurs ? `${path} imports ${specifier}: lib/ imports nothing of the project` : undefined;
  });

/** The rules know nothing of the wire, and take what they need from whoever calls them. */
export const roomsKnowNoSurface: Rule = (sources) =>
  each(within(sources, 'src/modules/'), ({ path }, { specifier, file }) =>
    file !== undefined && OUTSIDE.test(file)
      ? `${path} imports ${specifier}: a room knows nothing of what calls it`
      : undefined,
  );

/** Everybody names what it needs; the whole of it, and the configuration behind it, are for the programs. */
export const dependenciesAreNarrow: Rule = (sources) =>
  each(within(sources, 'src/'), ({ path }, { specifier, file }) => {
    if (file === COMPOSITION && !PROGRAMS.test(path)) {
      return `${path} imports ${specifier}: name what you need, and let composition.ts hand it in`;
    }
    if (file?.startsWith('src/config/') && !KNOWS_CONFIG.test(path)) {
      return `${path} imports ${specifier}: take the values you need, not the configuration`;
    }
    return undefined;
  });

/** A provider speaks to the world outside and knows none of our rules. */
export const providersAreAlone: Rule = (sources) =>
  each(within(sources, 'src/providers/'), ({ path }, { specifier, file }) => {
    const isOurs =
      specifier.startsWith('#modules/') || /^src\/(modules|routes|http|wire|worker|cli)\//.test(file ?? '');
    return isOurs ? `${path} imports ${specifier}: a provider knows no rule and no surface` : undefined;
  });

/** The shapes know of the rooms only their types: who reads a shape needs nothing that runs. */
export const wireIsShapesAlone: Rule = (sources) =>
  each(within(sources, 'src/wire/'), ({ path }, { specifier, file, isType }) => {
    const isShape = specifier === 'zod' || /^src\/(wire|lib)\//.test(file ?? '');
    const isTypeOfRoom = isType && frontDoor(specifier) !== undefined;
    return isShape || isTypeOfRoom
      ? undefined
      : `${path} imports ${specifier}: a shape needs zod, lib/ and types of rooms`;
  });

/** The framework serves every surface, and knows the shapes of none. */
export const frameworkKnowsNoShape: Rule = (sources) =>
  each(within(sources, 'src/http/'), ({ path }, { specifier, file }) =>
    /^src\/(wire|routes)\//.test(file ?? '')
      ? `${path} imports ${specifier}: shapes stand in wire/ and in the surfaces`
      : undefined,
  );

/** What two surfaces speak stands in wire/. */
export const surfacesAreApart: Rule = (sources) =>
  each(within(sources, 'src/routes/'), ({ path }, { specifier, file }) => {
    const [surface, other] = [path, file ?? ''].map((one) => /^src\/routes\/([^/]+)\//.exec(one)?.[1]);
    return other === undefined || other === surface
      ? undefined
      : `${path} imports ${specifier}: what ${other} and ${surface} share stands in wire/`;
  });

/** Routes translate: they hold no SQL. */
export const surfacesHoldNoSql: Rule = (sources) =>
  each([...within(sources, 'src/routes/'), ...within(sources, 'src/http/')], ({ path }, { specifier, isType }) =>
    /^(drizzle-orm|#drizzle|pg)(\/|$)/.test(specifier) && !isType
      ? `${path} imports ${specifier}: SQL stands in the rooms`
      : undefined,
  );

const within = (sources: readonly Source[], folder: string) => sources.filter(({ path }) => path.startsWith(folder));

const each = (
  sources: readonly Source[],
  check: (source: Source, imported: Source['imports'][number]) => string | undefined,
): string[] =>
  sources.flatMap((source) =>
    source.imports.map((imported) => check(source, imported)).filter((broken) => broken !== undefined),
  );
