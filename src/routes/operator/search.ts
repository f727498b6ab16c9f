import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { toMobileNumber } from '#lib/text/parse.ts';
import { findCustomers } from '#modules/accounts';
import { findApplicationsByName, findPartner, findPartnersByName, getApplication } from '#modules/clients';
import { findByReference, findTransactions, getMessage } from '#modules/collections';
import { findPayee, readRecord } from '#modules/customers';
import { getDispute } from '#modules/disputes';
import { findApproval } from '#modules/operators';
import { getPayout } from '#modules/payouts';
import { findImport } from '#modules/reconciliation';
import { findTagEvenClosed } from '#modules/tags';
import { findTerminal } from '#modules/terminals';
import { findWalletByNuban, findWalletOfReference } from '#modules/wallets';
import { getDelivery } from '#modules/webhooks';
import { readRequestKept, whereElse } from './audit.ts';

export const foundKinds = [
  'APPLICATION',
  'APPROVAL',
  'BANK_FILE',
  'CUSTOMER',
  'DELIVERY',
  'DISPUTE',
  'MESSAGE',
  'PARTNER',
  'PAYOUT',
  'REQUEST',
  'TAG',
  'TERMINAL',
  'TRANSACTION',
  'WALLET',
] as const;

/** Something that a search has found. */
export interface Found {
  kind: (typeof foundKinds)[number];
  /** What it is read by: its id, reference, handle or serial number. */
  id: string;
  /** Of a transaction, whose id alone does not lead to it. */
  reference?: string;
  /** What tells it from others. Nothing of it says who somebody is. */
  title: string;
}

/** Of what a text may name several. */
const EACH_MAX = 6;

/** Shorter texts begin too many names. */
const NAME_MIN = 3;

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

type Deps = { keyring: Keyring; clock: Clock; securityLog: SecurityLog; readLong: ReadLong } & DepsOf<
  typeof findCustomers
>;

type Reads = { db: Database; keyring: Keyring; clock: Clock; securityLog: SecurityLog };

/**
 * What a text may name: a reference, a tag, an account number, a serial number, an id, that of a request too, the beginning of the name of a partner or an
 * application, a phone or a BVN. Each is looked up by an index, and a few of each are answered. People are looked for by phone and
 * BVN as `findCustomers` does: audited, and counted against the searches that an operator may make.
 *
 * @throws DomainError TOO_MANY_REQUESTS
 */
export async function search(
  deps: Deps,
  { text, reason, actor }: { text: string; reason?: string | undefined; actor: string },
): Promise<Found[]> {
  const bare = text.trim().replace(/^@/, '');
  const digits = bare.replaceAll(/[\s()-]/g, '');
  const [things, persons] = [
    await deps.readLong(actor, async (db) => {
      const reads = { ...deps, db };
      return (
        await Promise.all([
          ...(UUID.test(bare) ? byId(reads, bare.toLowerCase()) : byText(reads, bare, digits)),
          requests(db, text.trim()),
        ])
      ).flat();
    }),
    await people(deps, digits, { actor, reason }),
  ];
  const found = [...new Map([...things, ...persons].map((one) => [`${one.kind} ${one.id}`, one])).values()];
  return found.length === 0 && UUID.test(bare) ? [nothingKept(text.trim())] : found;
}

const byId = (reads: Reads, id: string): Promise<Found[]>[] => [
  ifAny(getDelivery(reads.db, id), ({ event, status }) => ({ kind: 'DELIVERY', id, title: `${event} ${status}` })),
  ifAny(findPartner(reads.db, id), ({ name }) => ({ kind: 'PARTNER', id, title: name })),
  ifAny(getApplication(reads, id), ({ name }) => ({ kind: 'APPLICATION', id, title: name })),
  ifAny(readRecord(reads.db, reads.keyring, id), ({ tag }) => ({ kind: 'CUSTOMER', id, title: `@${tag}` })),
  ifAny(getPayout(reads, id), ({ reference, state }) => ({ kind: 'PAYOUT', id, title: `${reference} ${state}` })),
  ifAny(findApproval(reads, id), ({ operation, status }) => ({
    kind: 'APPROVAL',
    id,
    title: `${operation} ${status}`,
  })),
  ifAny(getDispute(reads, { id }), ({ transaction, state }) => ({
    kind: 'DISPUTE',
    id,
    title: `${transaction.reference} ${state}`,
  })),
  ifAny(getMessage(reads, id), ({ provider, state }) => ({ kind: 'MESSAGE', id, title: `${provider} ${state}` })),
  ifAny(findImport(reads.db, id), ({ rail }) => ({ kind: 'BANK_FILE', id, title: rail })),
];

const byText = ({ db, keyring }: Reads, text: string, digits: string): Promise<Found[]>[] => [
  ifAny(findWalletOfReference(db, keyring, text), ({ reference }) => ({
    kind: 'WALLET',
    id: reference,
    title: reference,
  })),
  transactions(findByReference(db, text, {}).then((found) => found.map(({ transaction }) => transaction))),
  transactions(
    findTransactions(db, { externalReference: text, limit: EACH_MAX, offset: 0, isUncounted: true }).then(
      ({ items }) => items,
    ),
  ),
  ifAny(findTerminal(db, keyring, text), ({ serialNumber }) => ({
    kind: 'TERMINAL',
    id: serialNumber,
    title: serialNumber,
  })),
  tags(db, text),
  ...(/^\d{10}$/.test(digits) ? [walletOf(db, keyring, digits)] : []),
  ...(text.length < NAME_MIN ? [] : named(db, text)),
];

const named = (db: Database, begin: string): Promise<Found[]>[] => [
  findPartnersByName(db, { begin, limit: EACH_MAX }).then((all) =>
    all.map(({ id, name }) => ({ kind: 'PARTNER', id, title: name })),
  ),
  findApplicationsByName(db, { begin, limit: EACH_MAX }).then((all) =>
    all.map(({ id, name }) => ({ kind: 'APPLICATION', id, title: name })),
  ),
];

const walletOf = (db: Database, keyring: Keyring, nuban: string): Promise<Found[]> =>
  ifAny(findWalletByNuban(db, keyring, nuban), ({ reference }) => ({
    kind: 'WALLET',
    id: reference,
    title: reference,
  }));

async function transactions(found: Promise<{ id: number; type: string; reference: string }[]>): Promise<Found[]> {
  return (await found).slice(0, EACH_MAX).map(({ id, type, reference }) => ({
    kind: 'TRANSACTION',
    id: String(id),
    reference,
    title: `${type} ${reference}`,
  }));
}

/** A tag, and whose PayTag it is. */
async function tags(db: Database, address: string): Promise<Found[]> {
  const [found, customer] = await Promise.all([findTagEvenClosed(db, address), findPayee(db, address)]);
  return [
    ...(found === undefined
      ? []
      : [{ kind: 'TAG', id: found.tag.handle, title: `@${found.tag.handle} ${found.tag.status}` } as const]),
    ...(customer === undefined ? [] : [{ kind: 'CUSTOMER', id: customer.customerId, title: `@${address}` } as const]),
  ];
}

/** As X-Request-Id may be. */
const REQUEST_ID = /^[\w.-]{1,128}$/;

/** What was changed or answered by requests of this id. */
async function requests(db: Database, id: string): Promise<Found[]> {
  if (!REQUEST_ID.test(id)) return [];
  const { changes, answers } = await readRequestKept(db, id);
  const [{ action, target } = {}] = changes;
  const [{ method, route, statusCode } = {}] = answers;
  if (action !== undefined) return [{ kind: 'REQUEST', id, title: `${action} ${target}` }];
  if (method === undefined) return [];
  return [{ kind: 'REQUEST', id, title: [method, route, ...(statusCode === undefined ? [] : [statusCode])].join(' ') }];
}

/** Ids of requests are made so, where the caller chooses none. */
const nothingKept = (id: string): Found => ({
  kind: 'REQUEST',
  id,
  title: `looks like the id of a request: ${whereElse({ requestId: id, changes: [], answers: [] })}`,
});

/** Ten digits are an account number, whatever phone they would be without its nought. */
const NUMBER = /^\+?\d{11,15}$/;

async function people(
  deps: Deps,
  digits: string,
  why: { actor: string; reason: string | undefined },
): Promise<Found[]> {
  const phone = NUMBER.test(digits) ? toMobileNumber(digits) : undefined;
  if (phone === undefined && !/^\d{11}$/.test(digits)) return [];
  const found = await findCustomers(deps, { ...(phone === undefined ? { bvn: digits } : { phone }), ...why });
  return found.slice(0, EACH_MAX).map(({ id, tag }) => ({ kind: 'CUSTOMER', id, title: `@${tag}` }));
}

async function ifAny<Thing>(found: Promise<Thing | undefined>, toFound: (thing: Thing) => Found): Promise<Found[]> {
  try {
    const thing = await found;
    return thing === undefined ? [] : [toFound(thing)];
  } catch (error) {
    if (error instanceof DomainError && error.code.endsWith('_NOT_FOUND')) return [];
    throw error;
  }
}
