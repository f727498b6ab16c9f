import type { Rule, Source } from './source.ts';

const ENDPOINT = /\bapp\s*\.\s*(get|post|put|patch|delete|head|options|all)\s*(?:<[^(]*>)?\(\s*['"`]([^'"`]*)['"`]/g;
const ROUTE = /\.route\s*\(\s*\{[^}]*?method:\s*['"](\w+)['"][^}]*?url:\s*['"`]([^'"`]*)['"`]/g;
const NAMED_LIKE_ONE = /^(get|post|put|patch|delete|head)(-[a-z0-9-]+)?$/;

type Endpoint = { method: string; url: string };

/**
 * A file of a surface that answers a path answers one, and is named after its method and literal path under the
 * surface's base, parameters left out: `POST /v1/tags/:tag/federation` is post-tags-federation.ts. Where a surface has
 * both a list and its items, or does to one what it does to many, the file of one adds the parameter: get-partners.ts
 * and get-partners-by-id.ts. The base itself is named after the surface. What the file exports to mount it is the same name in camel case.
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
    if (endpoints.length > 1) return [`${source.path} answers ${endpoints.length} paths: one file for each`];
    const isOneOf = manyOf(endpoint).some((many) => answered.has(`${surface} ${endpoint.method} ${many}`));
    const name = nameOf(endpoint, surface, isOneOf);
    if (file !== name) return [`${source.path} answers ${endpoint.method.toUpperCase()} ${endpoint.url}: ${name}.ts`];
    const mount = camelCase(name);
    return new RegExp(`\\bexport (function|const) ${mount}\\b`).test(source.code)
      ? []
      : [`${source.path} exports no ${mount}`];
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
