import type { FastifyInstance } from 'fastify';

interface Template {
  parts: readonly string[];
  methods: readonly string[];
}

const partsOf = (path: string): string[] => path.replace(/\/$/, '').split('/');

/** The path of a URL in its parts, as the router reads it: of one that names the host as well (RFC 9112 3.2.2), and decoded. */
function partsAsked(url: string): string[] {
  const [path = ''] = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return partsOf(path).map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}

const isAt = ({ parts }: Template, given: readonly string[]): boolean =>
  parts.length === given.length && parts.every((part, at) => part.startsWith(':') || part === given[at]);

/**
 * Which methods the routes of an instance have at a URL, in the order of the alphabet, with OPTIONS, which says them; none where
 * they have none. It learns of every route that is mounted from now on, so no list is kept.
 */
export function allowedMethods(app: FastifyInstance): (url: string) => string[] {
  const templates: Template[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    templates.push({ parts: partsOf(url), methods: [method].flat() });
  });
  return (url) => {
    const given = partsAsked(url);
    const methods = templates.filter((one) => isAt(one, given)).flatMap((template) => template.methods);
    return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].toSorted();
  };
}
