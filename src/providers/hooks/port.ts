import type { SaidPayee } from '../payout/port.ts';

/** The content of a provider's message. Amounts are minor units of `currency`. */
export type MessageContent =
  /** The outcome of our transfer, by our reference. */
  | {
      readonly kind: 'TRANSFER';
      readonly reference: string;
      readonly amount: bigint;
      readonly currency: string;
      readonly outcome: 'SUCCESSFUL' | 'FAILED' | 'REVERSED';
      /** The message contradicts itself: the provider must be polled. */
      readonly contradictsItself: boolean;
      /** The payee, as far as the provider names one. */
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
      /** The message names two account numbers, so the wallet is unknown. */
      readonly contradictsItself: boolean;
      readonly sender: {
        readonly name?: string | undefined;
        readonly bank?: string | undefined;
        readonly accountNumber?: string | undefined;
      };
      /** What the sender wrote. */
      readonly narration?: string | undefined;
    }
  /** The result of an assignment of an account number. The server polls for it; the message is kept for operators. */
  | { readonly kind: 'ACCOUNT'; readonly isAssigned: boolean }
  /** A message that has no use for us. */
  | { readonly kind: 'OTHER' }
  /** A message that does not match the provider's documentation. */
  | { readonly kind: 'UNREADABLE' };

/** A message as it can be read. */
export interface ReadMessage {
  /** The provider's name of the event; undefined without one. */
  event?: string | undefined;
  content: MessageContent;
}

/** Parses the messages of a provider. What does not match the documentation is UNREADABLE. Never throws. */
export type ReadHook = (body: string) => ReadMessage;

/** Verifies the signature of a provider's messages. */
export interface HookVerifier {
  readonly name: string;
  /**
   * @param body the bytes as they came
   * @param headers their names in lower case
   */
  isGenuine(body: Uint8Array, headers: Readonly<Record<string, unknown>>): boolean;
}
