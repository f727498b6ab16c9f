import { randomDigits } from '#lib/random.ts';
import type { Tour } from './tour.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** Part of every name and reference of this run, so that the tour can be taken again on the same server. */
export const runId = randomDigits(6);

export const PASSWORD = 'correct horse battery staple';
export const SIMULATOR_OTP = '123456';

export const ada = { firstName: 'Ada', lastName: 'Obi', dateOfBirth: '1994-05-17', bvn: `30001${runId}` };
export const bola = {
  firstName: 'Bola',
  lastName: 'Ade',
  dateOfBirth: '1990-01-02',
  bvn: `30002${runId}`,
  phone: '08051234567',
};
export const handles = { ada: `ada${runId}`, bola: `bola${runId}`, till: `market${runId}`, taxi: `rides${runId}` };

export type Headers = Record<string, string>;

/** What every chapter is given. */
export interface TourContext {
  tour: Tour;
  receiver: WebhookReceiver;
  /** The operator's credentials. */
  operator: Headers;
}

export interface Partner {
  id: string;
  clientId: string;
  apiKey: string;
  /** The partner's credentials. */
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
  /** The application's token. */
  headers: Headers;
}

/** An answer of the switch. */
export interface Enveloped<Data> {
  data: Data;
}

export const withCredentials = (partner: Omit<Partner, 'headers'>): Partner => ({
  ...partner,
  headers: { 'x-client-id': partner.clientId, 'x-api-key': partner.apiKey },
});
