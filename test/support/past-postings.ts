import { afterAll, beforeAll } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import { assertPosted, POSTING_PURPOSE, type Posted, type Posting } from '#modules/ledger';
import { tryPost } from '../../src/modules/ledger/post.ts';
import type { TestApp } from './app.ts';
import { asOwner } from './database.ts';

/** Posts at a moment that has passed, which only the owner of the database can. Accounts that moved later are not to be used. */
export function usePast(server: TestApp): (posting: Posting, at: Date) => Promise<Posted> {
  let handle: DatabaseHandle | undefined;
  beforeAll(() => {
    handle = openDatabase(asOwner(server.resources.databaseUrl), 1, () => {});
  });
  afterAll(() => handle?.close());
  return async (posting, at) => {
    if (handle === undefined) throw new Error('the past is open from beforeAll to afterAll');
    const { keyring } = server.resources;
    return assertPosted(await tryPost(handle.db, (facts) => keyring.vouchFor(POSTING_PURPOSE, facts), posting, at));
  };
}
