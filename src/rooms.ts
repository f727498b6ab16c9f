import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Invariant, Retention, Room, Store } from '#lib/room.ts';
import { room as applications } from '#modules/applications';
import { room as approvals } from '#modules/approvals';
import { room as audit } from '#modules/audit';
import { room as bankAccounts } from '#modules/bank-accounts';
import { room as beneficiaries } from '#modules/beneficiaries';
import { room as books } from '#modules/books';
import { room as claims } from '#modules/claims';
import { room as customers } from '#modules/customers';
import { room as dataKeys, routingFactsAreAuthentic, sealedValuesOpen } from '#modules/data-keys';
import { room as dataRights } from '#modules/data-rights';
import { room as disputes } from '#modules/disputes';
import { room as federations } from '#modules/federations';
import { room as idempotency } from '#modules/idempotency';
import { room as inboundAccounts } from '#modules/inbound-accounts';
import { room as inbox } from '#modules/inbox';
import { room as installation } from '#modules/installation';
import { room as integrity } from '#modules/integrity';
import { room as knownAddresses } from '#modules/known-addresses';
import { room as ledger } from '#modules/ledger';
import { room as letters } from '#modules/letters';
import { room as notices } from '#modules/notices';
import { room as onboarding } from '#modules/onboarding';
import { room as operators } from '#modules/operators';
import { room as outbox } from '#modules/outbox';
import { room as ownerProofs } from '#modules/owner-proofs';
import { room as partners } from '#modules/partners';
import { room as payments } from '#modules/payments';
import { room as payouts } from '#modules/payouts';
import { room as rails } from '#modules/rails';
import { room as reconciliation } from '#modules/reconciliation';
import { room as recovery } from '#modules/recovery';
import { room as sandbox } from '#modules/sandbox';
import { room as seals } from '#modules/seals';
import { room as sessions } from '#modules/sessions';
import { room as signingKeys } from '#modules/signing-keys';
import { room as statements } from '#modules/statements';
import { room as tagTransactions } from '#modules/tag-transactions';
import { room as tags } from '#modules/tags';
import { room as terminals } from '#modules/terminals';
import { room as throttles } from '#modules/throttles';
import { room as treasury } from '#modules/treasury';
import { room as wallets } from '#modules/wallets';
import { type WebhookRetentionDeps, room as webhooks } from '#modules/webhooks';

/** What forgetting takes, in all rooms. */
export type RetentionDeps = Store & WebhookRetentionDeps;

/** Every room that has tables. An erasure locks sessions first, then onboarding: these two come first. */
const rooms: readonly Room<RetentionDeps>[] = [
  sessions,
  onboarding,
  customers,
  tags,
  applications,
  wallets,
  payments,
  payouts,
  disputes,
  bankAccounts,
  beneficiaries,
  notices,
  statements,
  approvals,
  audit,
  books,
  claims,
  dataKeys,
  dataRights,
  federations,
  idempotency,
  inboundAccounts,
  inbox,
  installation,
  integrity,
  knownAddresses,
  ledger,
  letters,
  operators,
  outbox,
  ownerProofs,
  partners,
  rails,
  reconciliation,
  recovery,
  sandbox,
  seals,
  signingKeys,
  tagTransactions,
  terminals,
  throttles,
  treasury,
  webhooks,
];

/** How long each table is kept: what the guide shows, and what the worker does. */
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

/** What a check of the books checks. */
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
