import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed } from '#lib/postgres/lists.ts';
import {
  type CustomerRecord,
  type CustomerSummary,
  listSummaries,
  maskBvn,
  maskEmail,
  maskPhone,
  readRecord,
} from '#modules/customers';
import { type LiveSession, liveSessionsOf } from '#modules/sessions';
import { type OperatorWalletSummary, walletsOfCustomer } from '#modules/wallets';

/** FROZEN by the operator until the release; ERASED for ever. */
export const customerStatuses = ['ACTIVE', 'FROZEN', 'ERASED'] as const;
export type CustomerStatus = (typeof customerStatuses)[number];

/** A customer as the operator finds them: what could harm them is masked. */
export interface MaskedCustomer
  extends Pick<
    CustomerRecord,
    | 'id'
    | 'tag'
    | 'tagStatus'
    | 'name'
    | 'hasPassword'
    | 'frozenAt'
    | 'bvnHandedBackAt'
    | 'erasedAt'
    | 'createdAt'
    | 'updatedAt'
  > {
  status: CustomerStatus;
  /** `*******1234`. */
  bvn: string | undefined;
  phone: string | undefined;
  email: string | undefined;
  /** The year alone. */
  yearOfBirth: number | undefined;
  hasAddress: boolean;
}

/** One customer, with their wallets and where they are logged in. */
export interface CustomerForOperator extends MaskedCustomer {
  wallets: OperatorWalletSummary[];
  /** Newest first. */
  sessions: LiveSession[];
}

/** What a search may show of a customer. */
export function maskCustomer(record: CustomerRecord): MaskedCustomer {
  const { id, tag, tagStatus, name, hasPassword, frozenAt, bvnHandedBackAt, erasedAt, createdAt, updatedAt } = record;
  return {
    id,
    tag,
    tagStatus,
    name,
    hasPassword,
    frozenAt,
    bvnHandedBackAt,
    erasedAt,
    createdAt,
    updatedAt,
    status: statusOf(record),
    bvn: record.bvn && maskBvn(record.bvn),
    phone: record.phone && maskPhone(record.phone),
    email: record.email && maskEmail(record.email),
    yearOfBirth: record.dateOfBirth === undefined ? undefined : Number(record.dateOfBirth.slice(0, 4)),
    hasAddress: record.address !== undefined,
  };
}

const statusOf = ({ erasedAt, frozenAt }: CustomerSummary): CustomerStatus => {
  if (erasedAt !== undefined) return 'ERASED';
  return frozenAt === undefined ? 'ACTIVE' : 'FROZEN';
};

/** A customer, masked, with their wallets and sessions. @throws DomainError CUSTOMER_NOT_FOUND */
export async function getCustomer(
  { keyring, clock }: { keyring: Keyring; clock: Clock },
  db: Executor,
  id: string,
): Promise<CustomerForOperator> {
  const [record, wallets, sessions] = await Promise.all([
    recordOf(keyring, db, id),
    walletsOfCustomer(db, keyring, id),
    liveSessionsOf(db, id, clock.now()),
  ]);
  return { ...maskCustomer(record), wallets, sessions };
}

/** A customer in a list, which opens nothing of what is sealed. */
export type ListedCustomer = CustomerSummary & Pick<MaskedCustomer, 'status'>;

/** Customers, newest first. `count` is of all that match. */
export async function listCustomers(
  { db }: { db: Executor },
  query: Parameters<typeof listSummaries>[1],
): Promise<Listed<ListedCustomer, string>> {
  const { items, ...found } = await listSummaries(db, query);
  return { ...found, items: items.map((one) => ({ ...one, status: statusOf(one) })) };
}

/** All that is on record of a customer. @throws DomainError CUSTOMER_NOT_FOUND */
export async function recordOf(keyring: Keyring, db: Executor, id: string): Promise<CustomerRecord> {
  const record = await readRecord(db, keyring, id);
  if (record === undefined) throw noSuchCustomer(id);
  return record;
}

/** The refusal of an id that is nobody's. */
export const noSuchCustomer = (id: string): DomainError =>
  new DomainError('CUSTOMER_NOT_FOUND', `no customer has the id ${id}`);
