import { writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import type { OpenAPI3 } from 'openapi-typescript';
import type { Document } from './described.ts';

const PRINTERS = /\/node_modules\/(openapi-typescript|oazapfts|swagger-typescript-api|@hey-api\/openapi-ts)\//;

// They print by the compiler's API in JavaScript, which TypeScript 7 has no more. This is TypeScript 6, in a package without a `tsc`.
registerHooks({
  resolve: (specifier, context, next) => {
    const asksForIt = specifier === 'typescript' && PRINTERS.test(context.parentURL ?? '');
    return next(asksForIt ? '@ts-morph/common/dist/typescript.js' : specifier, context);
  },
});

/** The types of a document, as `openapi-fetch` reads them. */
async function typesOf(document: unknown): Promise<string> {
  const { default: read, astToString } = await import('openapi-typescript');
  return astToString(await read(document as OpenAPI3));
}

type Generator = (document: Document, folder: string) => Promise<unknown>;

/** What people make clients of a document with. Each writes its files into a folder. */
export const generators: Readonly<Record<string, Generator>> = {
  'openapi-typescript': async (document, folder) => writeFile(join(folder, 'client.ts'), await typesOf(document)),
  'openapi-ts': async (document, folder) => {
    const { createClient } = await import('@hey-api/openapi-ts');
    const logs = { level: 'silent', file: false } as const;
    await createClient({ input: document as never, output: join(folder, 'client'), logs });
  },
  oazapfts: async (document, folder) => {
    const { generateSource } = await import('oazapfts');
    await writeFile(join(folder, 'client.ts'), await generateSource(await written(document, folder)));
  },
  orval: async (document, folder) => {
    const { default: generate } = await import('orval');
    const input = { target: await written(document, folder) };
    await generate({ input, output: { target: join(folder, 'client.ts'), client: 'fetch' } });
  },
  'swagger-typescript-api': async (document, folder) => {
    const { generateApi } = await import('swagger-typescript-api');
    await generateApi({ spec: document, output: folder, fileName: 'client.ts', silent: true });
  },
};

async function written(document: Document, folder: string): Promise<string> {
  const file = join(folder, 'document.json');
  await writeFile(file, JSON.stringify(document));
  return file;
}

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
