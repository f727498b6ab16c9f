import type { SaidPayee } from '../payout/port.ts';

/** What a provider's message tells of. Amounts are minor units of `currency`, as the provider says them. */
export type Told =
  /** What has become of a transfer that we asked for, under our reference. */
  | {
      readonly kind: 'TRANSFER';
      readonly reference: string;
      readonly amount: bigint;
      readonly currency: string;
      readonly outcome: 'SUCCESSFUL' | 'FAILED' | 'REVERSED';
      /** Elsewhere it says that it has come to something else: it has to be asked about. */
      readonly contradictsItself: boolean;
      /** Whom it goes to, as far as the provider says so. */
      readonly payee: SaidPayee;
      readonly providerId?: string | undefined;
      /** In the provider's words. */
      readonly detail?: string | undefined;
    }
  /** Money that came in for an account number that the provider assigned. */
  | {
      readonly kind: 'CHARGE';
      /** The provider's. */
      readonly reference: string;
      readonly amount: bigint;
      readonly currency: string;
      /** Undefined where the provider does not say it, or names two. */
      readonly accountNumber: string | undefined;
      /** It names two account numbers: nobody knows whose it is. */
      readonly contradictsItself: boolean;
      readonly sender: {
        readonly name?: string | undefined;
        readonly bank?: string | undefined;
        readonly accountNumber?: string | undefined;
      };
      /** What the sender wrote. */
      readonly narration?: string | undefined;
    }
  /** What became of an account number that was asked for. We learn of it by asking: this is for whoever looks. */
  | { readonly kind: 'ACCOUNT'; readonly isAssigned: boolean }
  /** Something that we make no use of. */
  | { readonly kind: 'OTHER' }
  /** Something that is not as the provider documents it, so that nobody knows what it says. */
  | { readonly kind: 'UNREADABLE' };

/** A message as it can be read. */
export interface ReadMessage {
  /** The provider's name of what happened; undefined when it says none. */
  event?: string | undefined;
  told: Told;
}

/** Reads the messages of a provider. Whatever is not as documented is told as UNREADABLE: it never throws. */
export type ReadHook = (body: string) => ReadMessage;

/** Tells whether a provider's message is its own. */
export interface HookVerifier {
  readonly name: string;
  /**
   * @param body the bytes as they came
   * @param headers their names in lower case
   */
  isGenuine(body: Uint8Array, headers: Readonly<Record<string, unknown>>): boolean;
}
