import { index, pgSchema, primaryKey, text, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { partner } from '#modules/clients';
import { customer } from '#modules/customers';

export const sessionsSchema = pgSchema('sessions');

/** A customer's login at one partner, which one JWT stands for. `id` is the token's jti, and newer ones have greater ids. */
export const session = sessionsSchema.table(
  'session',
  {
    id: uuid('id').primaryKey(),
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    customerId: uuid('customer_id')
      .notNull()
      .references(() => customer.id),
    issuedAt: moment('issued_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    revokedAt: moment('revoked_at'),
  },
  (t) => [
    index('session_of_customer').on(t.customerId, t.id),
    index('session_of_partner').on(t.partnerId, t.id),
    index('session_expiry').on(t.expiresAt),
  ],
);

/** An authorization code, known by its digest alone, bound to a partner, exchanged once. */
export const authCode = sessionsSchema.table(
  'auth_code',
  {
    digest: bytes('digest').primaryKey(),
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    customerId: uuid('customer_id')
      .notNull()
      .references(() => customer.id),
    scope: text('scope').notNull(),
    /** S256 of the verifier that the exchange must show (RFC 7636); null where none was announced. */
    codeChallenge: text('code_challenge'),
    /** Of whose code it is, for whom, and what its exchange must show. */
    routingMac: bytes('routing_mac').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    exchangedAt: moment('exchanged_at'),
    sessionId: uuid('session_id').references(() => session.id),
  },
  (t) => [
    index('auth_code_customer').on(t.customerId),
    index('auth_code_session').on(t.sessionId),
    index('auth_code_expiry').on(t.expiresAt),
  ],
);

/** A customer has proved who they are at a partner, by password or by code. It outlives their sessions. */
export const priorLogin = sessionsSchema.table(
  'prior_login',
  {
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    customerId: uuid('customer_id')
      .notNull()
      .references(() => customer.id),
    since: moment('since').notNull(),
    /** When all their sessions there were ended last, e.g. with their password. Null: they never were. */
    sessionsEndedAt: moment('sessions_ended_at'),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.partnerId] })],
);
