import { z } from 'zod';
import { type DataKey, keyUses } from '#lib/crypto/keyring.ts';
import { type RootKey, RootKeyUnavailable } from '../../providers/kms/port.ts';
import type { DataKeyRow } from './data-key-store.ts';
import { foreignRootKey, InstallationMismatch } from './stamp-installation.ts';

/** The root keys of a process: the first wraps, the others still unwrap. */
export type RootKeys = readonly [RootKey, ...RootKey[]];

/** What is wrapped: the key with its id and use, so that nobody can give one key the place of another. */
const content = z.object({ id: z.int(), use: z.enum(keyUses), key: z.base64() });

/** A key as it is stored. */
export async function wrap(root: RootKey, { id, use, key }: Omit<DataKey, 'isCurrent'>) {
  const wrapped = await root.wrap(JSON.stringify({ id, use, key: key.toString('base64') }));
  return { id, use, wrapped, rootKey: root.id };
}

/**
 * A stored key.
 *
 * @throws InstallationMismatch when none of our root keys wrapped it, or when it was tampered with; RootKeyUnavailable
 */
export async function unwrap(roots: RootKeys, row: DataKeyRow, wrapped: Buffer): Promise<DataKey> {
  const root = roots.find(({ id }) => id === row.rootKey);
  if (root === undefined) throw foreignRootKey();
  const { id, use, key } = await contentOf(root, wrapped, row.id);
  if (id !== row.id || use !== row.use) throw tampered(row.id);
  return { id, use, key: Buffer.from(key, 'base64'), isCurrent: row.status === 'CURRENT' };
}

async function contentOf(root: RootKey, wrapped: Buffer, id: number): Promise<z.output<typeof content>> {
  try {
    return content.parse(JSON.parse(await root.unwrap(wrapped)));
  } catch (cause) {
    throw cause instanceof RootKeyUnavailable ? cause : tampered(id);
  }
}

const tampered = (id: number): InstallationMismatch =>
  new InstallationMismatch(
    `the key ${id} in data_keys.data_key does not open with its root key: it was changed; restore the row from a backup`,
  );
