import { registerHooks } from 'node:module';
import type { OpenAPI3 } from 'openapi-typescript';
import type { Document } from './described.ts';

// It prints types by the compiler's API in JavaScript, which TypeScript 7 has no more. This is TypeScript 6, in a package without a `tsc`.
registerHooks({
  resolve: (specifier, context, next) => {
    const asksForIt = specifier === 'typescript' && context.parentURL?.includes('/openapi-typescript/') === true;
    return next(asksForIt ? '@ts-morph/common/dist/typescript.js' : specifier, context);
  },
});

/**
 * The types of a document as `openapi-fetch` reads them. Paths are the interface's own, which follow the base address. Examples and
 * refusals are left out: an answer that is a refusal is thrown as a PayTagError.
 */
export async function clientTypesOf(document: Document, base: '/v2' | '/api'): Promise<string> {
  const { default: typesOf, astToString } = await import('openapi-typescript');
  const paths = Object.entries(document.paths).map(([path, operations]) => [path.replace(base, ''), operations]);
  const relative = { ...document, paths: Object.fromEntries(paths) };
  const spare = JSON.parse(JSON.stringify(relative), (key, value) =>
    key === 'example' || key === 'examples' || /^[3-5]\d\d$/.test(key) ? undefined : value,
  );
  return `// Written by \`npm run client:types\`.\n\n${astToString(await typesOf(spare as OpenAPI3))}`;
}
