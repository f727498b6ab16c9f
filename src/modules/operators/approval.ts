import type { Keyring } from '#lib/crypto/keyring.ts';
import { AlteredRecord, type SealedColumn } from '#lib/crypto/sealed-column.ts';
import { asMinor, type Minor } from '#lib/minor-units.ts';
import type { ApprovalStatus } from './approval-status.ts';
import type { ApprovalRow } from './approval-store.ts';
import type { Role } from './roles.ts';

/** Path and body of the request, as received: they are validated again at the approval. */
export interface StoredInput {
  params: Readonly<Record<string, string>>;
  /** JSON; empty for none. */
  body: string;
}

/** An operation that may need another operator's approval. */
export interface WaitingOperation {
  /** Method and path, as `POST /partners/:id/float`. */
  name: string;
  /** The lowest role of requester and approver. */
  role: Role;
  /** The lowest role for this input: some members of a body need a higher one. */
  roleFor?(input: StoredInput): Role;
  /**
   * Executes it by the current rules. It may run again after a crash, and must take effect only once.
   *
   * @param actor requester and approver, for the audit log
   * @param approved.id the id of the request
   * @param approved.by the role of the approver
   * @param approved.amount the approved amount; undefined if unknown, or if there is none
   */
  run(
    input: StoredInput,
    actor: string,
    approved: { id: string; by: Role; amount: Minor | undefined },
  ): Promise<unknown>;
}

/** An operator in a request. */
interface NamedOperator {
  id: string;
  name: string;
}

/** A request, without its input and answer. */
export interface Approval {
  id: string;
  operation: string;
  status: ApprovalStatus;
  amount: Minor | undefined;
  requestedBy: NamedOperator;
  createdAt: Date;
  expiresAt: Date;
  decidedBy: NamedOperator | undefined;
  decidedAt: Date | undefined;
  reason: string | undefined;
  errorCode: string | undefined;
  endedAt: Date | undefined;
}

/** Columns that the seals are bound to, so that neither the row nor its sealed values can be exchanged without the key. */
const KEY = ['id', 'operation', 'requested_by', 'requested_by_name', 'amount', 'digest'];
const columns = {
  input: { table: 'approvals.approval', column: 'input_sealed', row: KEY },
  answer: { table: 'approvals.approval', column: 'answer_sealed', row: KEY },
} as const;

/** The sealed columns that a rekey rewrites. */
export const sealedColumns: readonly SealedColumn[] = Object.values(columns);

type Bound = Pick<ApprovalRow, 'id' | 'operation' | 'requestedBy' | 'requestedByName' | 'amount' | 'digest'>;

const boundOf = (bound: Bound) => [
  bound.id,
  bound.operation,
  bound.requestedBy,
  bound.requestedByName,
  bound.amount,
  bound.digest,
];

export const sealInput = (keyring: Keyring, bound: Bound, input: StoredInput): Buffer =>
  keyring.seal(columns.input, boundOf(bound), JSON.stringify(input));

/** The input of a request. @returns undefined when it was deleted, or when it or the row was altered */
export const openInput = (keyring: Keyring, asked: ApprovalRow): StoredInput | undefined =>
  openOf(keyring, asked, columns.input, asked.inputSealed) as StoredInput | undefined;

export const sealAnswer = (keyring: Keyring, bound: Bound, answer: unknown): Buffer =>
  keyring.seal(columns.answer, boundOf(bound), JSON.stringify(answer ?? null));

/** The answer of a request. @returns undefined when it was deleted, or is not this row's */
export const openAnswer = (keyring: Keyring, asked: ApprovalRow): unknown =>
  openOf(keyring, asked, columns.answer, asked.answerSealed);

function openOf(keyring: Keyring, bound: Bound, column: SealedColumn, sealed: Buffer | null): unknown {
  if (sealed === null) return undefined;
  try {
    return JSON.parse(keyring.open(column, boundOf(bound), sealed));
  } catch (error) {
    if (error instanceof AlteredRecord) return undefined;
    throw error; // a key that this process does not have yet
  }
}

/** The name of requester and approver in audit entries. */
export const actorOfBoth = (row: ApprovalRow): string =>
  `${actorOf({ id: row.requestedBy, name: row.requestedByName })}, approved by ${actorOf({ id: row.decidedBy ?? '', name: row.decidedByName ?? '' })}`;

const actorOf = ({ id, name }: NamedOperator): string => (id === name ? `operator:${id}` : `operator:${id} ${name}`);

/** A stored request for responses. After its time it counts as expired, even before it is marked. */
export function toApproval(row: ApprovalRow, now: Date): Approval {
  const { decidedBy: id, decidedByName: name } = row;
  return {
    id: row.id,
    operation: row.operation,
    status: row.status === 'PENDING' && row.expiresAt <= now ? 'EXPIRED' : row.status,
    amount: row.amount === null ? undefined : asMinor(row.amount),
    requestedBy: { id: row.requestedBy, name: row.requestedByName },
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    decidedBy: id === null || name === null ? undefined : { id, name },
    decidedAt: row.decidedAt ?? undefined,
    reason: row.reason ?? undefined,
    errorCode: row.errorCode ?? undefined,
    endedAt: row.endedAt ?? undefined,
  };
}
