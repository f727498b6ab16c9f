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

/** What every server needs from the start; and what commands alone load. */
const LOADED_AT_START =
  /^(zod|pg|pino|prom-client|fastify|fastify-type-provider-zod|@fastify\/formbody|secure-json-parse|ipaddr\.js|bullmq\/package\.json)$/;
const OF_COMMANDS = /^(commander|jose|paytag\/client)$/;
/** Files that a server does not load, or by `await import()` where they are needed. */
const LOADED_APART = /^src\/(build\.ts|tracing\/)/;
const PACKAGE = /^import (?!type )[^;]*?from '((?![.#]|node:)[^']+)';$/gm;

/** A package that a server may never use is loaded when it is first needed: by `lazyPackage` of lib/lazy.ts, or `await import()`. */
export const heavyPackagesWait: Rule = (sources) =>
  sources.flatMap(({ path, code }) => {
    if (LOADED_APART.test(path)) return [];
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

const ENDPOINT = /\bapp\s*\.\s*(get|post|put|patch|delete|head|options|all)\s*(?:<[^(]*>)?\(\s*['"`]([^'"`]*)['"`]/g;
const ROUTE = /\.route\s*\(\s*\{[^}]*?method:\s*['"](\w+)['"][^}]*?url:\s*['"`]([^'"`]*)['"`]/g;
const NAMED_LIKE_ONE = /^(get|post|put|patch|delete|head)(-[a-z0-9-]+)?$/;

type Endpoint = { method: string; url: string };

/**
 * A file of a surface that answers a path answers one, and is named after its method and literal path under the
 * surface's base, parameters left out: `POST /v1/tags/:tag/federation` is post-tags-federation.ts. Where a surface has
 * both a list and its items, or does to one what it does to many, the file of one adds the parameter: get-partners.ts
 * and get-partners-by-id.ts. The base itself is named after the surface. What the file exports to mount it is the same name in camel case.
 * The operator's surface has a file for each resource instead, with the same exports.
 */
export const routesAreNamedAfterTheirPath: Rule = (sources) => {
  const files = sources
    .filter(({ path }) => path.startsWith('src/routes/'))
    .map((source) => ({ source, ...placeOf(source.path), endpoints: endpointsIn(source) }));
  const answered = new Set(
    files.flatMap(({ surface, endpoints }) => endpoints.map(({ method, url }) => `${surface} ${method} ${url}`)),
  );
  return files.flatMap(({ source, surface, file, endpoints }) => {
    if (surface === '') return [`${source.path} belongs to no surface`];
    const [endpoint] = endpoints;
    if (endpoint === undefined) {
      return NAMED_LIKE_ONE.test(file) ? [`${source.path} is named like an endpoint and answers no path`] : [];
    }
    const nameOfEndpoint = (one: Endpoint): string =>
      nameOf(
        one,
        surface,
        manyOf(one).some((many) => answered.has(`${surface} ${one.method} ${many}`)),
      );
    const isExported = (name: string) =>
      new RegExp(`\\bexport (function|const) ${camelCase(name)}\\b`).test(source.code);
    if (surface === 'operator')
      return endpoints
        .map(nameOfEndpoint)
        .filter((name) => !isExported(name))
        .map((name) => `${source.path} exports no ${camelCase(name)}`);
    if (endpoints.length > 1) return [`${source.path} answers ${endpoints.length} paths: one file for each`];
    const name = nameOfEndpoint(endpoint);
    if (file !== name) return [`${source.path} answers ${endpoint.method.toUpperCase()} ${endpoint.url}: ${name}.ts`];
    return isExported(name) ? [] : [`${source.path} exports no ${camelCase(name)}`];
  });
};

function placeOf(path: string): { surface: string; file: string } {
  const [, surface = '', file = ''] = /^src\/routes\/([^/]+)\/(?:.+\/)?([^/]+)\.ts$/.exec(path) ?? [];
  return { surface, file };
}

const endpointsIn = ({ code }: Source): Endpoint[] =>
  [...code.matchAll(ENDPOINT), ...code.matchAll(ROUTE)].map(([, method = '', url = '']) => ({
    method: method.toLowerCase(),
    url,
  }));

/** The paths that list what `url` names one of, or do to many what it does to one. */
const manyOf = ({ url }: Endpoint): string[] =>
  [url.replace(/\/:\w+$/, ''), url.replaceAll(/\/:\w+/g, '')].filter((many) => many !== url);

function nameOf({ method, url }: Endpoint, surface: string, isOneOf: boolean): string {
  const segments = url.split('/').filter((segment) => segment !== '');
  const literal = segments.filter((segment) => !segment.startsWith(':')).map(slug);
  const parameter = isOneOf ? ['by', slug(segments.findLast((segment) => segment.startsWith(':')) ?? '')] : [];
  return [method, ...(literal.length === 0 ? [surface] : literal), ...parameter].join('-');
}

const slug = (segment: string): string =>
  segment
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const camelCase = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
