import type { Plant } from './plant.ts';

/** An operator whom the audit log knows, with a role, a state and a token that it may not know. */
const operator = (role: string, status: string, expires = '2030-01-01T00:00:00Z') => `
  insert into operators.operator (name, role, status, token_digest, token_expires_at, created_at, updated_at)
    values ('Ngozi', '${role}', '${status}', '\\x01', '${expires}', now(), now());
  insert into audit.entry (actor, action, target, after)
    select 'operator:root', 'operator.create', id::text, '{"role": "viewer", "tokenExpiresAt": "2030-01-01T00:00:00.000Z"}'
      from operators.operator;
  select id as operator_id from operators.operator`;

/** Credentials that no operation made. */
export const credentialPlants: readonly Plant[] = [
  {
    what: 'an operator whom nobody made',
    statement: `
      insert into operators.operator (name, role, token_digest, token_expires_at, created_at, updated_at)
        values ('Insider', 'admin', '\\x01', now(), now(), now()) returning id as operator_id, role`,
    seenBy: ['operators_are_audited'],
  },
  {
    what: 'an operator whose role nobody raised',
    statement: operator('admin', 'ACTIVE'),
    seenBy: ['operators_are_audited'],
  },
  {
    what: 'an operator whom nobody disabled',
    statement: operator('viewer', 'DISABLED'),
    seenBy: ['operators_are_audited'],
  },
  {
    what: 'an operator whose token nobody prolonged',
    statement: operator('viewer', 'ACTIVE', '2031-01-01T00:00:00Z'),
    seenBy: ['operators_are_audited'],
  },
  {
    what: 'an API key that nobody added',
    statement: `
      insert into partners.api_key (partner_id, digest, routing_mac) select max(id::text)::uuid, '\\x01', '\\x01' from partners.partner
        returning id as key_id`,
    seenBy: ['api_keys_are_audited'],
  },
  {
    what: 'an API key that nobody revoked',
    statement: `
      update partners.api_key set revoked_at = now() where id = (select max(id::text)::uuid from partners.api_key)
        returning id as key_id`,
    seenBy: ['api_keys_are_audited'],
  },
];
