import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { columnNamed } from '#lib/crypto/routing-facts.ts';
import { routingFacts, sealedColumns } from '../../../src/rooms.ts';
import { useDatabase } from '../../support/database.ts';

/**
 * What the login of the server may write, and neither a MAC nor a sealed value holds: why it pays, lets in and reaches no one.
 * A whole table, where one reason covers it; else its columns by their reasons.
 */
const UNHELD: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  'applications.application': {
    'name image_url status': 'shown, and whether it is suspended: an altered one can be',
    built_in: 'one that is built in has no MAC, and cannot log in',
  },
  'applications.subject': { 'display_name image_url metadata': 'shown only' },
  'approvals.approval': 'a state that only moves forward; who asked for what is in its seal',
  'audit.entry': 'evidence, of now by a trigger, and sealed in the order of its ids',
  'beneficiaries.beneficiary': 'shown only: a payment names its PayTag',
  'claims.claim': {
    'state revoked_at': 'moves forward only, by a trigger; that it was approved is in the MAC',
    'token_expires_at proof_attempts': 'until when, and how often, somebody may prove who they are',
  },
  'customers.contact_change': { confirmed_at: 'shown only' },
  'customers.customer': { image_url: 'shown only' },
  'data_keys.data_key': 'a key that the root key has not wrapped opens nothing',
  'disputes.dispute': 'who decides reads it; its money moves by postings that an operator asks for',
  'disputes.evidence': { id: 'names it in no list' },
  'federations.federation': 'names a tag; links, which have MACs, say what is linked to it',
  'federations.link': {
    status: 'moves forward only, by a trigger; that it was verified is in the MAC',
    token_digest: 'a keyed digest for this link alone',
    'expires_at failures proof_attempts': 'until when, and how often, somebody may prove who they are',
  },
  'idempotency.request': 'what was answered is sealed for its request; done twice, a reference is refused',
  'inbound_accounts.account': { leased_until: 'which process asks the provider' },
  'inbox.message': 'as read from its body, which is sealed, and how far it has come',
  'installation.stamp': 'there is one, and it stays',
  'integrity.run': 'what the check of the books found, which it finds again',
  'known_addresses.known_address': 'only warns of a new address',
  'ledger.account': {
    'posted suspended version moved_at emits floor lock_mode holder_id':
      'opened empty, and within a floor, by a trigger',
    'status closed_at daily_limit liens': 'whether and how much it pays in a day; a closed one stays so by a trigger',
  },
  'ledger.lien': 'holds money back, and never moves it',
  'letters.letter': {
    'facts cause': 'quoted in the mail',
    'happened_at attempts due_at sent_at opened_at': 'how far it has come',
  },
  'notices.notice': { 'attempts due_at sent_at': 'how far it has come' },
  'onboarding.creation_session': {
    otp_digest: 'a keyed digest for this session alone',
    'otp_channel otp_reference otp_expires_at otp_sends otp_sent_at otp_failures expires_at':
      'until when, and how often, codes are sent and taken',
  },
  'operators.operator': { last_used_at: 'shown only' },
  'outbox.event': { 'body body_digest': 'may be forgotten only, by a trigger' },
  'outbox.receiver': {
    'description others ordered header_names': 'how it is told, and what of it is shown',
    'deleted_at secret_rotated_at previous_secret_until': 'which of its own secrets, all sealed, sign',
  },
  'owner_proofs.owner_code': 'a keyed digest for its purpose alone, and how often codes are sent',
  'partners.api_key': { revoked_at: 'moves forward only, by a trigger' },
  'partners.closed_portal_link': 'closes a link, and opens none',
  'partners.partner': { 'name status': 'shown, and whether it is suspended: an altered one can be' },
  'payments.payment': 'evidence of what a rail said of a posting',
  'payouts.payout': 'how far it has come; whom it pays, and how much, is in its seal',
  'rail_comparisons.comparison': 'evidence: it moves nothing',
  'reconciliation.import': 'evidence: it moves nothing',
  'reconciliation.item': 'who decides reads it with the posting; what the bank said is sealed',
  'sandbox.counterpart': 'in the sandbox alone',
  'sandbox.disturbance': 'in the sandbox alone',
  'sandbox.hook_request': 'in the sandbox alone',
  'seals.seal': 'the next one only, by a trigger, and signed',
  'sessions.auth_code': { 'exchanged_at session_id expires_at': 'once, and until when' },
  'sessions.prior_login': 'whether a login is the first one, of which the customer is told',
  'sessions.session': 'good with a signed token of its own alone; a revoked one that is stored stays so by a trigger',
  'signing_keys.signing_key': 'what of it signs and verifies is opened from its seal',
  'statements.paper': 'shown only',
  'statements.requested': 'how far it has come; where it is mailed is sealed',
  'tag_transactions.tag_transaction': {
    'status posting_id accepted_at rejected_at rejection_reason': 'how far it has come: its hold is captured once',
  },
  'tags.tag': { 'status closed_at': 'whether it is in use; whose its handle is, is in the MAC' },
  'terminals.split': { 'total_paid status': 'counts what was posted, and is held against it' },
  'terminals.terminal': { balance: 'counts what was posted, and is held against it' },
  'throttles.counter': 'a counter',
  'wallets.kyc_numbering': 'a counter',
  'wallets.partner_wallet': {
    'known_since proven_at': 'which of a customer’s own wallets they are paid into',
    'revoked_at status_before_freeze': 'whether it takes money: its account stays closed by a trigger',
    'tier metadata': 'a limit, audited; and shown only',
  },
  'webhooks.attempt': 'evidence: it sends nothing',
  'webhooks.breaker': 'when is sent, not what or where',
  'webhooks.delivery': 'when is sent; what and where is held against the event and its receiver, which have MACs',
  'webhooks.episode': 'when is sent, not what or where',
  'webhooks.failure': 'when is sent, not what or where',
  'webhooks.pace': 'when is sent, not what or where',
  'webhooks.pause': 'when is sent, not what or where',
  'webhooks.release': 'when is sent, not what or where',
};

const database = useDatabase();
const owner = new Client({ connectionString: database.ownerUrl });
beforeAll(() => owner.connect());
afterAll(() => owner.end());

/** What each table's MAC and sealed values hold. */
const held = new Set([
  ...routingFacts.flatMap(({ table, columns }) =>
    [...columns.map(columnNamed), 'routing_mac'].map((one) => `${table}.${one}`),
  ),
  ...sealedColumns.flatMap(({ table, column, row }) => [column, ...row].map((one) => `${table}.${one}`)),
]);
/** Each row of these has a MAC, so that one that is inserted past us is none. */
const vouched = routingFacts.filter((facts) => !('where' in facts)).map(({ table }) => table);
/** When something was written: shown, and what it is kept by. */
const TIMES = ['created_at', 'updated_at'];

/** What the database grants the server to write of each table, and nothing holds. */
async function unheld(): Promise<Record<string, string[]>> {
  const { rows } = await owner.query<{ table: string; column: string }>(
    `select distinct table_schema || '.' || table_name as table, column_name as column from information_schema.column_privileges c
      where grantee = 'paytag_server_role' and table_schema <> 'bullmq' and column_name <> all ($2)
        and (privilege_type = 'UPDATE' or privilege_type = 'INSERT' and (table_schema || '.' || table_name <> all ($1)
          or has_table_privilege('paytag_server_role', table_schema || '.' || table_name, 'DELETE')))`,
    [vouched, TIMES],
  );
  const free = rows.filter(({ table, column }) => !held.has(`${table}.${column}`));
  return Object.fromEntries(
    [...Map.groupBy(free, ({ table }) => table)].map(([table, ofIt]) => [
      table,
      ofIt.map(({ column }) => column).toSorted(),
    ]),
  );
}

it('whatever the login of the server may write is held by a MAC or a seal, or does no harm', async () => {
  const free = await unheld();
  const said = Object.entries(UNHELD).map(([table, reason]) => [
    table,
    typeof reason === 'string'
      ? free[table]
      : Object.keys(reason)
          .flatMap((columns) => columns.split(' '))
          .toSorted(),
  ]);
  expect(Object.keys(free).length).toBeGreaterThan(40);
  expect(Object.fromEntries(said)).toEqual(free);
});
