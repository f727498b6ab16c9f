/** A movement as a provider has it in its list, or when it is asked for it. */
export type ListedMovement = {
  kind: 'TRANSFER' | 'CHARGE';
  /** The message that would have told of it: the same bytes whenever it is listed. */
  message: Buffer;
  /** Of a transfer ours, of a payment the provider's; of one that cannot be read what names it, as text, or nothing. */
  reference: string;
} & (
  | {
      /** Minor units of `currency`. */
      amount: bigint;
      currency: string;
      /** What has become of a transfer. A payment in the list has succeeded. */
      outcome: 'SUCCESSFUL' | 'FAILED' | 'REVERSED';
    }
  /** The row does not match the documentation; it does not count as open either. */
  | { outcome: 'UNREADABLE' }
);

/** What a provider says of the money that it moved for us. */
export interface Rail {
  readonly name: string;
  /** What it carries. */
  readonly carries: readonly ListedMovement['kind'][];
  /** What we have there, in minor units of naira; left out where it keeps no balance. @throws RailDown */
  readonly balance?: () => Promise<bigint>;
  /** Movements of this kind from one moment until before another that have ended, or that cannot be read; undefined where it carries none. */
  list(kind: ListedMovement['kind'], span: { from: Date; until: Date }): Promise<ListedMovement[] | undefined>;
  /** A movement by its reference: OPEN while the provider has not ended it, undefined where it has none. */
  find(kind: ListedMovement['kind'], reference: string): Promise<ListedMovement | 'OPEN' | undefined>;
}

/** The provider gave no usable answer: it is safe to ask again. */
export class RailDown extends Error {
  override readonly name = 'RailDown';
}
