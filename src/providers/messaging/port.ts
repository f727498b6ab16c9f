export const channels = ['sms', 'whatsapp', 'email'] as const;
export type Channel = (typeof channels)[number];

export interface OtpMessage {
  channel: Channel;
  /** E.164 for sms and whatsapp, an address for email. */
  to: string;
  code: string;
}

/** Brings one-time passwords to people. */
export interface MessagingProvider {
  /** Sends once, and never again by itself. @throws MessagingProviderDown when the message was not accepted in time */
  sendOtp(message: OtpMessage): Promise<void>;
  /** A code to send. Six random digits, but for the simulator, whose code is known. */
  newCode(): string;
}

/** The message was not accepted, or was not heard to be: the request is safe to send again. */
export class MessagingProviderDown extends Error {
  override readonly name = 'MessagingProviderDown';
}

/** Brings short texts to phones: the part of messaging that another company does for us. */
export interface PhoneMessenger {
  /** @throws MessagingProviderDown */
  send(message: { channel: 'sms' | 'whatsapp'; to: string; text: string }): Promise<void>;
  newCode: MessagingProvider['newCode'];
}
