import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

const ROOT = pathToFileURL(findPackageJSON('.', import.meta.url) ?? '');

/**
 * A file or folder of the project that is read at run time, by its path from `package.json`. `npm run build` copies those of its list
 * (`src/build.ts`) next to the bundle, under the same path.
 */
export const projectFile = (path: string): URL => new URL(path, ROOT);
