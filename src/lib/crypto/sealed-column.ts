/** A column whose values are sealed: what a rekey seals anew. Each room names its own. */
export interface SealedColumn {
  /** With its schema, e.g. `customers.customer`. */
  readonly table: string;
  readonly column: string;
  /** What its values are sealed for: one thing, or each for one of several. */
  readonly purpose: string | readonly string[];
}
