export const channels = ['sms', 'whatsapp', 'email'] as const;
export type Channel = (typeof channels)[number];

export interface OtpMessage {
  channel: Channel;
  /** E.164 for sms and whatsapp, an address for email. */
  to: string;
  code: string;
  /** What the code does, after `to`: who reads it should know. */
  about?: string;
}

/** Brings one-time passwords to people. */
export interface MessagingProvider {
  /**
   * Sends once, and never again by itself.
   *
   * @throws MessagingProviderDown when the message was not accepted in time
   * @throws AddressRefused when this address takes none, now and later
   */
  sendOtp(message: OtpMessage): Promise<void>;
  /** A code to send. Six random digits, but for the simulator, whose code is known. */
  newCode(): string;
}

/** The message was not accepted, or was not heard to be. */
export class MessagingProviderDown extends Error {
  override readonly name = 'MessagingProviderDown';
  /** Nothing was heard: the message may reach its address all the same. */
  readonly mayHaveSent: boolean;

  constructor(message: string, { mayHaveSent = false, cause }: { mayHaveSent?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.mayHaveSent = mayHaveSent;
  }
}

/** There is nobody at this address: it is of no use to send there again. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Brings short texts to phones: the part of messaging that another company does for us. */
export interface PhoneMessenger {
  /** @throws MessagingProviderDown */
  send(message: { channel: 'sms' | 'whatsapp'; to: string; text: string }): Promise<void>;
  newCode: MessagingProvider['newCode'];
}
