import { randomDigits } from '#lib/random.ts';
import type { Guide } from './guide.ts';
import type { Receiver } from './receiver.ts';

/** What this run names its people and references with, so that a second tour meets nobody of the first. */
export const mark = randomDigits(6);

export const PASSWORD = 'correct horse battery staple';
export const OTP_OF_THE_SIMULATOR = '123456';

export const ada = { firstName: 'Ada', lastName: 'Obi', dateOfBirth: '1994-05-17', bvn: `30001${mark}` };
export const bola = {
  firstName: 'Bola',
  lastName: 'Ade',
  dateOfBirth: '1990-01-02',
  bvn: `30002${mark}`,
  phone: '08051234567',
};
export const handles = { ada: `ada${mark}`, bola: `bola${mark}`, till: `market${mark}`, taxi: `rides${mark}` };

export type Headers = Record<string, string>;

/** What every chapter has. */
export interface Stage {
  guide: Guide;
  receiver: Receiver;
  /** Credentials of the operator. */
  operator: Headers;
}

export interface Partner {
  id: string;
  clientId: string;
  apiKey: string;
  /** Its credentials. */
  headers: Headers;
}

export interface PartnerWallet {
  Reference: string;
  Wallet: { Nuban: string };
  PayTag: { Tag: string };
}

export interface Application {
  applicationId: string;
  client_id: string;
  client_secret: string;
  /** Its token. */
  headers: Headers;
}

export const withCredentials = (partner: Omit<Partner, 'headers'>): Partner => ({
  ...partner,
  headers: { 'x-client-id': partner.clientId, 'x-api-key': partner.apiKey },
});
