import operations from './operator-operations.json' with { type: 'json' };

/** What a parameter or a column holds. Amounts are major units; `json` is an object of free form or one with members of its own. */
export type Kind = 'text' | 'id' | 'money' | 'integer' | 'boolean' | 'moment' | 'day' | 'json' | 'list';

export interface Parameter {
  /** As the API names it; members of an object in a body with its name before them: `sender.name`. */
  name: string;
  in: 'path' | 'query' | 'body';
  kind: Kind;
  required: boolean;
  /** Of each item, where the kind is `list`. */
  items?: Kind;
  /** Of each item that is an object: its members. */
  members?: Pick<Parameter, 'name' | 'kind' | 'required' | 'maxLength' | 'description'>[];
  /** Its values, where they are few; of a list, each item's. */
  values?: string[];
  /** Whether null, which takes away what is there, is a value. */
  nullable?: true;
  description?: string;
  example?: unknown;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  /** Of a body of several shapes: the values of `kinds.by` with which it may be given, when not all. */
  of?: string[];
  /** Of a body of several shapes: the values of `kinds.by` with which it must be given, when not all. */
  requiredOf?: string[];
  /** The role that it asks for, beyond the operation's. */
  role?: string;
}

export interface Column {
  /** As the answer names it; members of an object with its name before them: `sender.name`. */
  name: string;
  kind: Kind;
  values?: string[];
  description?: string;
  /** Of each item, where the kind is `list` and its items are objects. */
  columns?: Column[];
}

/** An operation of the operator API: what the command line and the console are made from. */
export interface OperatorOperation {
  operationId: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under /operator/v1: `/partners/{id}/suspend`. */
  path: string;
  /** Its command: `partners suspend`. */
  noun: string;
  verb: string;
  summary: string;
  /** What there is to know beyond the summary. */
  description?: string;
  /** The least role that it asks for. */
  role: string;
  parameters: Parameter[];
  /** A body of several shapes: the member that tells them apart, and its values. */
  kinds?: { by: string; values: string[] };
  /** Whether it may change something; reads do not, though some are audited. */
  changes: boolean;
  /** Why it cannot be undone, for the confirmation. */
  irreversible?: string;
  /** Whether it is sent under an Idempotency-Key, and so may be sent again. */
  idempotencyKey: boolean;
  /** Whether it may wait for another operator: 202 with an approval. */
  waits: boolean;
  /** Whether its answer has `items`; then `columns` are theirs. */
  list: boolean;
  /** Whether it is paged by `cursor`. */
  cursor: boolean;
  /** Whether its answer has `count`, the total. */
  count: boolean;
  /** Whether it can be asked for as a file: `format=csv`. */
  csv: boolean;
  columns: Column[];
  /** Members of a list’s answer other than its items and paging. */
  extras: Column[];
}

/**
 * Every operation of the operator API, in the order of its OpenAPI document. `npm run client:types` writes the file from that
 * document; a test holds it equal.
 */
export const operatorOperations = operations as readonly OperatorOperation[];
