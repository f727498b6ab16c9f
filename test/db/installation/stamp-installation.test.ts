import { afterAll, beforeAll, expect, it } from 'vitest';
import { fingerprintOf } from '#lib/crypto/keyring.ts';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import { stampInstallation } from '#modules/installation';
import { useDatabase } from '../../support/database.ts';

const { url } = useDatabase();
const ours = [fingerprintOf(Buffer.alloc(32, 1))] as const;
let handle: DatabaseHandle;
beforeAll(async () => {
  handle = openDatabase(url, 2, () => {});
  await stampInstallation(handle.db, 'sandbox', ours);
});
afterAll(() => handle.close());

it('lets the same environment and key in again', async () => {
  await expect(stampInstallation(handle.db, 'sandbox', ours)).resolves.toBeUndefined();
});

it('refuses another environment, in one line', async () => {
  await expect(stampInstallation(handle.db, 'live', ours)).rejects.toThrow(
    /^ENVIRONMENT is live, but this database is the sandbox one[^\n]*$/,
  );
});

it('refuses another master key', async () => {
  const other = [fingerprintOf(Buffer.alloc(32, 2))] as const;
  await expect(stampInstallation(handle.db, 'sandbox', other)).rejects.toThrow(/^MASTER_KEY is not the key/);
});
