import type { Plant } from './plant.ts';
import { FLOAT } from './rows.ts';

/** Long before anything was posted, so that nothing else is told otherwise. */
const ENDS = '2019-12-31 23:00+00';
/** A month of which these rows are carried, written down with a digest as it is. */
const archived = (carried: string, digest = `ledger.carried_digest('${ENDS}')`): string => `
  insert into ledger.archive (ends_at, part, entries, manifest_digest, carried_digest) values ('${ENDS}', 'entry_old', 0, sha256('m'), '');
  ${carried}
  update ledger.archive set carried_digest = ${digest}, entries = (select coalesce(sum(entries), 0) from ledger.carried);`;
const AUDITED = `
  insert into audit.entry (actor, action, target, reason, after) select 'cli', 'ledger.archive', part, 'closed', json_build_object(
    'until', ends_at, 'entries', entries, 'manifest', encode(manifest_digest, 'hex'), 'carried', encode(carried_digest, 'hex')) from ledger.archive;`;
const carry = (account: string, values: string): string => `
  insert into ledger.carried (account_id, ends_at, entries, debits, credits, opening, version, closing, moved_at)
    values (${account}, '${ENDS}', ${values}, '2019-12-01');`;
const FEES = `(select id from ledger.account where kind = 'FEE' and currency = 'NGN')`;

export const archivePlants: readonly Plant[] = [
  {
    what: 'a month that is said to be archived, by nobody',
    statement: `${archived('')} select part from ledger.archive`,
    seenBy: ['archives_are_audited'],
  },
  {
    what: 'what is carried of a month, written down otherwise',
    statement: `${archived('', `sha256('else')`)} ${AUDITED} select part from ledger.archive`,
    seenBy: ['carried_months_are_as_archived'],
  },
  {
    what: 'a month of which more is carried than its days come to',
    statement: `${archived(carry(FEES, '2, 100, 100, null, null, null'))} ${AUDITED}
      select 'FEE' as kind, '100' as carried_in`,
    seenBy: ['archived_days_are_what_is_carried'],
  },
  {
    what: 'numbers of an account that are missing in what is carried of it, and are given again',
    statement: `${archived(carry(FLOAT, '1, 0, 0, 0, 2, 0'))} ${AUDITED}
      select account_id from ledger.carried`,
    seenBy: ['archived_days_are_what_is_carried', 'carried_balances_follow', 'entries_are_numbered_once'],
  },
];
