import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { outageLogger } from '#lib/log.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { type Caller, callers, type SecurityLog } from '#lib/security-events.ts';
import { addressBlock } from '#lib/text/parse.ts';
import { noteAddress } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Pairs of credential and address that this process has stored today; the oldest is dropped. */
const REMEMBERED_MAX = 20_000;
/** For one credential, in the table. */
const ADDRESSES_MAX = 200;
/** Concurrent writes; further ones are stored with a later request. */
const WRITING_MAX = 16;

/** Remembers the addresses from which credentials are used. */
export interface KnownAddresses {
  /**
   * Stores that the caller used a credential, and returns at once. If it was used before, but never from this address, records
   * `credential_used_from_new_address`; likewise for the first use of a credential whose owner used others before, but never from
   * this address. Queries the database once a day for each address, not for each request.
   *
   * @param credential e.g. `application:` and its id; if its owner has several, `partner:`, its id, `:` and the key's id
   */
  note(credential: string, caller?: Caller): void;
  /** Waits for running writes. */
  close(): Promise<void>;
}

interface Deps {
  db: Database;
  keyring: Keyring;
  clock: Clock;
  log: Logger;
  securityLog: SecurityLog;
}

/** Addresses are grouped as in limits: an IPv4 address itself, an IPv6 address by its /64 network. */
export function createKnownAddresses({ db, keyring, clock, log, securityLog }: Deps): KnownAddresses {
  const notedOn = new Map<string, number>();
  const writing = new Set<Promise<void>>();
  const absence = outageLogger(log, 'remembering addresses of credentials');

  const pairOf = (credential: string, caller: Caller) => `${credential}\0${addressBlock(caller.address)}`;
  const used = (credential: string, caller: Caller) => ({
    credential,
    digest: keyring.blindIndex('credential address', pairOf(credential, caller)),
  });

  async function write(credential: string, caller: Caller, pair: string, today: number): Promise<void> {
    try {
      const owner = used(ownerOf(credential), caller);
      const usedAt = new Date(today * DAY_MS);
      const { isNew, usedBefore } = await noteAddress(
        db,
        { ...used(credential, caller), owner, usedAt },
        ADDRESSES_MAX,
      );
      absence.recovered();
      if (isNew && usedBefore) securityLog.record('credential_used_from_new_address', idOf(credential), caller);
    } catch (error) {
      notedOn.delete(pair);
      absence.failed(error);
    }
  }

  return {
    note(credential, caller = callers.getStore()) {
      if (caller === undefined) return;
      const today = Math.floor(clock.now().getTime() / DAY_MS);
      const pair = pairOf(credential, caller);
      if (notedOn.get(pair) === today || writing.size >= WRITING_MAX) return;
      notedOn.delete(pair); // keeps the map in order of storing
      notedOn.set(pair, today);
      const [oldest] = notedOn.keys();
      if (notedOn.size > REMEMBERED_MAX && oldest !== undefined) notedOn.delete(oldest);
      const written: Promise<void> = write(credential, caller, pair, today).finally(() => writing.delete(written));
      writing.add(written);
    },
    async close() {
      absence.end();
      await Promise.all(writing);
    },
  };
}

/** The owner of a credential: the part before the second `:`. */
const ownerOf = (credential: string): string => credential.split(':').slice(0, 2).join(':');

/** `partner:` and its id, as the member that names it, and the key where it is one of several. */
function idOf(credential: string): Record<string, string> {
  const [kind = '', id, keyId] = credential.split(':');
  if (id === undefined) return {};
  return { [`${kind}Id`]: id, ...(keyId === undefined ? {} : { keyId }) };
}
