import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { randomId } from '#lib/random.ts';
import { type ApplicationRow, insertApplication, type NewApplicationRow } from './application-store.ts';

const LENGTH_MAX = 30;
/** Hexadecimal digits after a namespace that is taken. */
const SUFFIX_LENGTH = 6;

/** Makes an application under the namespace its name asks for, or, when that is taken, under one with a random suffix. */
export async function insertUnderFreeNamespace(
  tx: Tx,
  keyring: Keyring,
  values: Omit<NewApplicationRow, 'namespace'>,
): Promise<ApplicationRow> {
  const wanted = namespaceOf(values.name);
  const another = () => [wanted || 'app', randomId().slice(0, SUFFIX_LENGTH)].join('-');
  for (const namespace of [wanted || another(), another(), another()]) {
    const created = await insertApplication(tx, keyring, { ...values, namespace });
    if (created !== undefined) return created;
  }
  throw new Error('three namespaces in a row were taken');
}

/** `Acme Pay Ltd.` asks for `acme-pay-ltd`. Empty when the name has no ASCII letter or digit. */
export function namespaceOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LENGTH_MAX)
    .replaceAll(/^-|-$/g, '');
}
