import type { Rule, Source } from './source.ts';

const ENDPOINT = /\bapp\s*\.\s*(get|post|put|patch|delete|head|options|all)\s*(?:<[^(]*>)?\(\s*['"`]([^'"`]*)['"`]/g;
const ROUTE = /\.route\s*\(\s*\{[^}]*?method:\s*['"](\w+)['"][^}]*?url:\s*['"`]([^'"`]*)['"`]/g;
const NAMED_LIKE_ONE = /^(get|post|put|patch|delete|head)(-[a-z0-9-]+)?$/;

/**
 * A file of a surface that answers a path answers one, and is named after its method and literal path. The surface, a
 * version and a parameter may be left out of the name, and a collection before a parameter may stand in the singular:
 * `POST /v1/tags/:tag/federation` is post-tags-federation.ts.
 */
export const routesAreNamedAfterTheirPath: Rule = (sources) =>
  sources
    .filter(({ path }) => path.startsWith('src/routes/'))
    .flatMap((source) => {
      const [, surface = '', file = ''] = /^src\/routes\/(.+)\/([^/]+)\.ts$/.exec(source.path) ?? [];
      if (surface === '') return [`${source.path} belongs to no surface`];
      const endpoints = endpointsIn(source);
      const [endpoint] = endpoints;
      if (endpoint === undefined) {
        return NAMED_LIKE_ONE.test(file) ? [`${source.path} is named like an endpoint and answers no path`] : [];
      }
      if (endpoints.length > 1) return [`${source.path} answers ${endpoints.length} paths: one file for each`];
      const { method, url } = endpoint;
      return nameOf(method, url, surface).test(`${file}-`)
        ? []
        : [`${source.path} answers ${method.toUpperCase()} ${url}: name it after that`];
    });

const endpointsIn = ({ code }: Source) =>
  [...code.matchAll(ENDPOINT), ...code.matchAll(ROUTE)].map(([, method = '', url = '']) => ({
    method: method.toLowerCase(),
    url,
  }));

/** What a file may be called, with a dash at its end. */
function nameOf(method: string, url: string, surface: string): RegExp {
  const segments = url.split('/').filter((segment) => segment !== '');
  const left = new Set([surface, 'v1', 'v2', '.well-known']);
  const parts = segments.map((segment, index) => {
    const words = slug(segment).replace(/-json$/, '(-json)?');
    if (segment.startsWith(':')) return `(${words}-)?`;
    if (left.has(segment)) return `(${words}-)?`;
    return segments[index + 1]?.startsWith(':') ? `(${words}|${singular(words)})-` : `${words}-`;
  });
  return new RegExp(`^${method}-(${surface}-)?${parts.join('')}$`);
}

const slug = (segment: string): string =>
  segment
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');
