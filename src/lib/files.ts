import { link, rm, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';
import { randomId } from './random.ts';

const ROOT = pathToFileURL(findPackageJSON('.', import.meta.url) ?? '');

/**
 * A file or folder of the project that is read at run time, by its path from `package.json`. `npm run build` copies those of its list
 * (`src/build.ts`) next to the bundle, under the same path.
 */
export const projectFile = (path: string): URL => new URL(path, ROOT);

/**
 * Creates a file unless there is one at `path` already, which is never changed. The file appears with its whole content,
 * also when the process is killed meanwhile; of several calls at once exactly one creates it.
 *
 * @param mode permissions of the file, e.g. `0o600`
 * @returns true when this call created the file
 */
export async function createOnce(path: string, content: string, mode: number): Promise<boolean> {
  const draft = `${path}.${randomId()}`;
  await writeFile(draft, content, { mode, flush: true });
  try {
    await link(draft, path); // unlike a rename, it fails when the path exists
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft);
  }
}
