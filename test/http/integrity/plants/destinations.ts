import type { Plant } from './plant.ts';

const PARTNER = '(select max(id::text)::uuid from partners.partner)';
const APPLICATION = '(select max(id::text)::uuid from applications.application where not built_in)';

/** Where events, logins and secrets go, as no operation of ours says: by rows that may have been ours once, with their MAC. */
export const destinationPlants: readonly Plant[] = [
  {
    what: 'a redirect URL that nobody set',
    statement: `update partners.partner set redirect_url = 'https://evil.example/' where id = ${PARTNER} returning id as partner_id`,
    seenBy: ['redirect_urls_are_audited'],
  },
  {
    what: 'a contact that nobody set',
    statement: `update partners.partner set contact_email_sealed = '\\x03' where id = ${PARTNER} returning id as partner_id`,
    seenBy: ['contacts_are_audited'],
  },
  {
    what: 'a contact that nobody has proven',
    statement: `insert into letters.proven_contact (owner_id, address_digest, proven_at, routing_mac)
      values (${PARTNER}, '\\x01', now(), '\\x01') returning owner_id`,
    seenBy: ['proven_contacts_are_audited'],
  },
  {
    what: 'pages of an application that nobody registered',
    statement: `update applications.application set return_urls = '{https://evil.example/}' where id = ${APPLICATION}
      returning id as application_id`,
    seenBy: ['application_credentials_are_audited'],
  },
  {
    what: 'a secret of an application that was taken back',
    statement: `update applications.application set previous_secret_digest = secret_digest, previous_secret_until = now()
      where id = ${APPLICATION} returning id as application_id`,
    seenBy: ['application_credentials_are_audited'],
  },
  {
    what: 'a receiver whose URL nobody set',
    statement: `update outbox.receiver set url = 'https://evil.example/' where owner_id = ${PARTNER} returning id as receiver_id`,
    seenBy: ['receivers_are_audited'],
  },
  {
    what: 'a receiver that is told what nobody asked for',
    statement: `update outbox.receiver set events = '{payout.sent}' where owner_id = ${PARTNER} returning id as receiver_id`,
    seenBy: ['receivers_are_audited'],
  },
];
