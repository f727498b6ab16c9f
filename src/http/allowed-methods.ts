import type { FastifyInstance } from 'fastify';

interface Template {
  parts: readonly string[];
  methods: readonly string[];
}

const partsOf = (path: string): string[] => path.replace(/\/$/, '').split('/');

const isAt = ({ parts }: Template, given: readonly string[]): boolean =>
  parts.length === given.length && parts.every((part, at) => part.startsWith(':') || part === given[at]);

/**
 * Which methods the routes of an instance have at a path, in the order of the alphabet. It learns of every route that is
 * mounted from now on, so no list is kept.
 */
export function allowedMethods(app: FastifyInstance): (path: string) => string[] {
  const templates: Template[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    templates.push({ parts: partsOf(url), methods: [method].flat() });
  });
  return (path) => {
    const given = partsOf(path);
    return [...new Set(templates.filter((one) => isAt(one, given)).flatMap(({ methods }) => methods))].toSorted();
  };
}
