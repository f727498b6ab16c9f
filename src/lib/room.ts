import type { Keyring } from './crypto/keyring.ts';
import type { RoutingFacts } from './crypto/routing-facts.ts';
import type { SealedColumn } from './crypto/sealed-column.ts';
import type { Invariant, IsSample } from './invariant.ts';
import type { EraseOf, ExportOf } from './personal-data.ts';
import type { Retention, Store } from './retention.ts';

export interface InvariantDeps {
  readonly keyring: Keyring;
  readonly nubanInstitutionCode: string;
  readonly isSample: IsSample;
}

/** What a room says of its own tables. `rooms.ts` reads it from every room. */
export interface Room<RetentionDeps = Store> {
  /** How long each table is kept. */
  readonly retention?: readonly Retention<RetentionDeps>[];
  /** What must be true of the rows at any moment. */
  readonly invariants?: (deps: InvariantDeps) => readonly Invariant[];
  /** The columns whose values are sealed: what a rekey seals again. */
  readonly sealedColumns?: readonly SealedColumn[];
  /** What of the rows decides where money, events and codes go: each row has a MAC of it. */
  readonly routingFacts?: readonly RoutingFacts[];
  /** What an export of a customer shows, by its name there. */
  readonly exports?: Readonly<Record<string, ExportOf>>;
  /** Deletes what is a customer's and the books do not need. */
  readonly erase?: EraseOf;
}
