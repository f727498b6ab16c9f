import { createPayTag, createPayTagApplication, type PayTag, type PayTagApplication } from 'paytag/client';
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

/** What every chapter is given. */
export interface TourContext {
  tour: Tour;
  receiver: WebhookReceiver;
  /** The operator's credentials. */
  operator: Record<string, string>;
}

interface PartnerCredentials {
  id: string;
  clientId: string;
  apiKey: string;
}
export interface Partner extends PartnerCredentials {
  paytag: PayTag;
}

interface ApplicationCredentials {
  applicationId: string;
  client_id: string;
  client_secret: string;
}
export interface Application extends ApplicationCredentials {
  calls: PayTagApplication;
}

/** An answer of the switch to whoever calls it without the client. */
export interface Enveloped<Data> {
  data: Data;
}

/** A partner who calls by the client, of which the tour prints every request. */
export const asPartner = ({ origin, fetch }: Tour, given: PartnerCredentials): Partner => ({
  ...given,
  paytag: createPayTag({ ...given, baseUrl: `${origin}/v2`, fetch }),
});

export const asApplication = ({ origin, fetch }: Tour, given: ApplicationCredentials): Application => ({
  ...given,
  calls: createPayTagApplication({
    baseUrl: `${origin}/api`,
    clientId: given.client_id,
    clientSecret: given.client_secret,
    fetch,
  }),
});
