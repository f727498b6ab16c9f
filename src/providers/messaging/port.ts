export const channels = ['sms', 'whatsapp', 'email'] as const;
export type Channel = (typeof channels)[number];

export interface OtpMessage {
  channel: Channel;
  /** A phone number in E.164 for sms and whatsapp, an address for email. */
  to: string;
  code: string;
  /** What the code is for, in words that follow `to`, e.g. "approve a claim". The message says it. */
  about?: string;
}

/** Sends one-time passwords. */
export interface MessagingProvider {
  /**
   * Sends once, without a retry.
   *
   * @throws MessagingProviderDown when the message was not accepted in time
   * @throws AddressRefused when this address will never accept one
   */
  sendOtp(message: OtpMessage): Promise<void>;
  /** A new code to send: six random digits, or the simulator's known code. */
  newCode(): string;
}

/** A short message to one person. */
export interface TextMessage {
  channel: 'sms' | 'email';
  /** A phone number in E.164 for sms, an address for email. */
  to: string;
  /** Of an e-mail. */
  subject: string;
  text: string;
}

/** Sends short messages. */
export interface TextProvider {
  /**
   * Sends once, without a retry.
   *
   * @throws MessagingProviderDown when the message was not accepted in time
   * @throws AddressRefused when this address will never accept one
   */
  sendText(message: TextMessage): Promise<void>;
}

/** The message was not accepted, or the answer did not come. */
export class MessagingProviderDown extends Error {
  override readonly name = 'MessagingProviderDown';
  /** True when no answer came: the message may be delivered all the same. */
  readonly mayHaveSent: boolean;

  constructor(message: string, { mayHaveSent = false, cause }: { mayHaveSent?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.mayHaveSent = mayHaveSent;
  }
}

/** The address does not exist: do not send to it again. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Sends short texts to phones. */
export interface PhoneMessenger {
  /** Sends once, without a retry. @throws MessagingProviderDown when it was not accepted in time */
  send(message: { channel: 'sms' | 'whatsapp'; to: string; text: string }): Promise<void>;
  newCode: MessagingProvider['newCode'];
}
