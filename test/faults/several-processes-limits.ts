import type { Pool } from 'pg';
import { expect } from 'vitest';
import { clientOf, type RemotePartner, remoteCustomer, remotePartner, ssoOf } from '../support/client.ts';

/** Guesses at a password that are looked at before it is closed: PostgreSQL counts them. */
export const GUESSES = 5;
/** PayTags that a partner may look up in a minute: Redis counts them, and PostgreSQL while Redis does not. */
export const LOOK_UPS = 12;
export const LIMITED = { RATE_LIMIT_VERIFY_TAGS_PER_M: String(LOOK_UPS) };

export const person = (number: number) => ({
  paytag: `several.${'abcdefghij'[number]}`,
  bvn: `2221234050${number}`,
  phone: `+234803123405${number}`,
  firstName: 'Ada',
});

export interface Limits {
  /** Many guesses at once at a customer's password, at every process that serves. Resolves to how many were looked at. */
  guessesLookedAt(number: number): Promise<number>;
  /** Many PayTags looked up at once by a new partner, at every process that serves. Resolves to how many were let through. */
  lookUpsLetThrough(): Promise<number>;
  /** Look-ups that PostgreSQL has counted. */
  countedByPostgres(): Promise<number>;
}

/** @param origin of one process that serves after the other */
export function limitsOf(
  origin: (at: number) => string,
  partner: RemotePartner & { headers: Record<string, string> },
  owner: Pool,
): Limits {
  return {
    async guessesLookedAt(number) {
      const { paytag } = await remoteCustomer(clientOf(origin(0)), partner, person(number));
      const guess = (at: number) => ssoOf(clientOf(origin(at)), partner).logIn(paytag, 'Kilimanjaro-78');
      const answers = await Promise.all(Array.from({ length: 6 * GUESSES }, (_, at) => guess(at)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
      return answers.filter(({ status }) => status === 401).length;
    },
    async lookUpsLetThrough() {
      const { headers } = await remotePartner(clientOf(origin(0)), { name: 'Looks up' });
      const lookUp = (at: number) =>
        clientOf(origin(at))('GET', `/v2/sso/verify-tag?paytag=nobody.has.${at}`, { headers });
      const answers = await Promise.all(Array.from({ length: 6 * LOOK_UPS }, (_, at) => lookUp(at)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
      return answers.filter(({ status }) => status === 200).length;
    },
    async countedByPostgres() {
      const { rows } = await owner.query<{ spent: number }>(
        `select coalesce(sum(spent), 0)::int as spent from throttles.counter where name = 'PayTags looked up'`,
      );
      return rows[0]?.spent ?? 0;
    },
  };
}
