import type { Keyring } from '#lib/crypto/keyring.ts';
import { AlteredRecord, type SealedColumn } from '#lib/crypto/sealed-column.ts';
import { asMinor, type Minor } from '#lib/minor-units.ts';
import type { ApprovalStatus } from './approval-status.ts';
import type { ApprovalRow } from './approval-store.ts';
import type { Role } from './roles.ts';

/** Path and body of what is asked for, as they came: they are judged again when it is approved. */
export interface StoredInput {
  params: Readonly<Record<string, string>>;
  /** JSON; empty for none. */
  body: string;
}

/** An operation that may ask for another operator's approval. */
export interface WaitingOperation {
  /** Method and path, as `POST /partners/:id/float`. */
  name: string;
  /** The least role of whoever asks, and of whoever approves. */
  role: Role;
  /** The same where what is asked for needs more, as some members of a body do. */
  roleFor?(input: StoredInput): Role;
  /**
   * Does it, by the rules as they are now. It may run again after a crash, so done twice it must do no more than once.
   *
   * @param actor who asked, and who approved, for the audit log
   * @param approved.id of the request
   * @param approved.by the role of whoever approved
   * @param approved.amount what was approved; undefined where it could not be told, or has none
   */
  run(
    input: StoredInput,
    actor: string,
    approved: { id: string; by: Role; amount: Minor | undefined },
  ): Promise<unknown>;
}

/** An operator, as a request names them. */
interface NamedOperator {
  id: string;
  name: string;
}

/** A request, without what only those may see who may do it. */
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

/** What of a row its seals hold too, so that neither the row nor what is sealed in it can be exchanged without the key. */
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

/** What is asked for. @returns undefined when it is forgotten, or when it or the row is not as it was asked for */
export const openInput = (keyring: Keyring, asked: ApprovalRow): StoredInput | undefined =>
  openOf(keyring, asked, columns.input, asked.inputSealed) as StoredInput | undefined;

export const sealAnswer = (keyring: Keyring, bound: Bound, answer: unknown): Buffer =>
  keyring.seal(columns.answer, boundOf(bound), JSON.stringify(answer ?? null));

/** What was answered. @returns undefined when it is forgotten, or is not this row's */
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

/** How audit entries name both who asked and who approved. */
export const actorOfBoth = (row: ApprovalRow): string =>
  `${actorOf({ id: row.requestedBy, name: row.requestedByName })}, approved by ${actorOf({ id: row.decidedBy ?? '', name: row.decidedByName ?? '' })}`;

const actorOf = ({ id, name }: NamedOperator): string => (id === name ? `operator:${id}` : `operator:${id} ${name}`);

/** A stored request, as it is shown. At its time it counts as expired, whether or not it was marked. */
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
