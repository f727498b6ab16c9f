import type { Channel } from '../../providers/messaging/port.ts';

/** Where a person can be sent a code. */
export interface Addresses {
  phone?: string | undefined;
  email?: string | undefined;
}

/** The address of a channel. */
export const addressFor = ({ phone, email }: Addresses, channel: Channel): string | undefined =>
  channel === 'email' ? email : phone;

/** The channels by which a code can be sent, the preferred one first. */
export const channelsTo = ({ phone, email }: Addresses): Channel[] => [
  ...(phone === undefined ? [] : (['sms', 'whatsapp'] as const)),
  ...(email === undefined ? [] : (['email'] as const)),
];
