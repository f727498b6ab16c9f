import { frontDoor, type Rule, roomOf, type Source } from './source.ts';

/** What the rooms never ask: the wire, the queue's worker and the programs that put everything together. */
const OUTSIDE =
  /^src\/(routes|http|worker|cli|demo|embedded)\/|^src\/(app|boot-database|generated-secrets|health-app|log|migrate|server)\.ts$/;
/** What the rooms may know the shape of, and no more. */
const SHAPES_ONLY = /^src\/(config|resources)\.ts$/;

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
  each(within(sources, 'src/modules/'), ({ path }, { specifier, file, isType }) => {
    if (file === undefined) return undefined;
    if (OUTSIDE.test(file)) return `${path} imports ${specifier}: a room knows nothing of what calls it`;
    if (SHAPES_ONLY.test(file) && !isType) return `${path} imports ${specifier}: import its types alone`;
    return undefined;
  });

/** A provider speaks to the world outside and knows none of our rules. */
export const providersAreAlone: Rule = (sources) =>
  each(within(sources, 'src/providers/'), ({ path }, { specifier, file }) => {
    const isOurs =
      specifier.startsWith('#modules/') || /^src\/(modules|routes|http|wire|worker|cli)\//.test(file ?? '');
    return isOurs ? `${path} imports ${specifier}: a provider knows no rule and no surface` : undefined;
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
