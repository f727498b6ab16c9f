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
  /** @throws MessagingProviderDown when the message was not accepted in time */
  sendOtp(message: OtpMessage): Promise<void>;
  /** A code to send. Six random digits, but for the simulator, whose code is known. */
  newCode(): string;
}

/** The message was not accepted: nothing was sent, the request is safe to send again. */
export class MessagingProviderDown extends Error {
  override readonly name = 'MessagingProviderDown';
}
