import { link, rm, writeFile } from 'node:fs/promises';
import { randomId } from './random.ts';

/**
 * Writes a file whole or not at all, and never over one that is there: of two at once, the first one's stays.
 * True when this call made it.
 */
export async function createOnce(path: string, content: string, mode: number): Promise<boolean> {
  const draft = `${path}.${randomId()}`;
  await writeFile(draft, content, { mode, flush: true });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft);
  }
}
