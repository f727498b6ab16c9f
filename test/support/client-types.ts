import type { Document } from './described.ts';
import { typesOf } from './generators.ts';

/**
 * The types of a document as `openapi-fetch` reads them. Paths are the interface's own, which follow the base address. Examples and
 * refusals are left out: an answer that is a refusal is thrown as a PayTagError.
 */
export async function clientTypesOf(document: Document, base: '/v2' | '/api'): Promise<string> {
  const paths = Object.entries(document.paths).map(([path, operations]) => [path.replace(base, ''), operations]);
  const relative = { ...document, paths: Object.fromEntries(paths) };
  const spare: unknown = JSON.parse(JSON.stringify(relative), (key, value) =>
    key === 'example' || key === 'examples' || /^[3-5]\d\d$/.test(key) ? undefined : value,
  );
  return `// Written by \`npm run client:types\`.\n\n${await typesOf(spare)}`;
}
