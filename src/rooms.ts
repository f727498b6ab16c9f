import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Invariant, Retention, Room, Store } from '#lib/room.ts';
import { room as accounts } from '#modules/accounts';
import { room as audit } from '#modules/audit';
import { room as clients } from '#modules/clients';
import { room as collections } from '#modules/collections';
import { room as consent } from '#modules/consent';
import { room as customers } from '#modules/customers';
import { room as disputes } from '#modules/disputes';
import { room as idempotency } from '#modules/idempotency';
import { room as keys, routingFactsAreAuthentic, sealedValuesOpen } from '#modules/keys';
import { room as ledger } from '#modules/ledger';
import { room as limits } from '#modules/limits';
import { room as offers } from '#modules/offers';
import { room as operators } from '#modules/operators';
import { room as outbox } from '#modules/outbox';
import { room as payouts } from '#modules/payouts';
import { room as proof } from '#modules/proof';
import { room as reconciliation } from '#modules/reconciliation';
import { room as sandbox } from '#modules/sandbox';
import { room as sessions } from '#modules/sessions';
import { room as statements } from '#modules/statements';
import { room as tags } from '#modules/tags';
import { room as terminals } from '#modules/terminals';
import { room as treasury } from '#modules/treasury';
import { room as wallets } from '#modules/wallets';
import { type WebhookRetentionDeps, room as webhooks } from '#modules/webhooks';

/** The dependencies of retention in all rooms. */
export type RetentionDeps = Store & WebhookRetentionDeps;

/** Every room that has tables. An erasure locks sessions first, then what accounts owns: these two come first. */
const rooms: readonly Room<RetentionDeps>[] = [
  sessions,
  accounts,
  customers,
  tags,
  clients,
  wallets,
  collections,
  payouts,
  disputes,
  statements,
  audit,
  consent,
  idempotency,
  keys,
  ledger,
  limits,
  offers,
  operators,
  outbox,
  proof,
  reconciliation,
  sandbox,
  terminals,
  treasury,
  webhooks,
];

/** The retention of each table: the guide shows it, and the worker applies it. */
export const retention: readonly Retention<RetentionDeps>[] = [
  ...rooms.flatMap((room) => room.retention ?? []),
  {
    table: 'bullmq.*',
    kept: 'until a wake-up is handled; of what the queue says of itself, the last 100',
    why: 'it only wakes a worker sooner; without REDIS_URL',
  },
  { table: 'drizzle.__drizzle_migrations', kept: 'for ever', why: 'which migrations have run' },
  { table: 'drizzle.functions', kept: 'for ever', why: 'which SQL functions were applied' },
];

export const sealedColumns = rooms.flatMap((room) => room.sealedColumns ?? []);

export const routingFacts = rooms.flatMap((room) => room.routingFacts ?? []);

export const personExports = Object.assign({}, ...rooms.map((room) => room.exports ?? {})) as Required<Room>['exports'];

export const personErasures = rooms.flatMap((room) => room.erase ?? []);

/** All invariants of a check of the books. */
export function invariantsOf(
  { nubanInstitutionCode, environment }: { nubanInstitutionCode: string; environment: string },
  keyring: Keyring,
): readonly Invariant[] {
  const isSample = (reference: string) => (environment === 'live' ? 'false' : `${reference} like 'sandbox-%'`);
  return [
    ...rooms.flatMap((room) => room.invariants?.({ keyring, nubanInstitutionCode, isSample }) ?? []),
    sealedValuesOpen(keyring, sealedColumns),
    routingFactsAreAuthentic(keyring, routingFacts),
  ];
}
