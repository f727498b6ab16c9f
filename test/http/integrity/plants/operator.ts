import type { Plant } from './plant.ts';
import { named, WALLET } from './rows.ts';

const unaudited = (action: string, returning = `after ->> 'reference' as reference`): string =>
  `delete from audit.entry where action = '${action}' returning ${returning}`;

/** What the operator did, and nobody wrote down; or what is said to have been the operator. */
export const operatorPlants: readonly Plant[] = [
  {
    what: 'reversals whose audit entries are gone',
    statement: unaudited('transaction.reverse'),
    seenBy: ['reversals_are_audited'],
  },
  {
    what: 'a remittance whose audit entry is gone',
    statement: unaudited('account.remit'),
    seenBy: ['remittances_are_audited'],
  },
  {
    what: 'resolutions of what waited whose audit entries are gone',
    statement: unaudited('suspense.resolve', 'target as reference'),
    seenBy: ['resolutions_are_audited'],
  },
  {
    what: 'a settlement of an application whose audit entry is gone',
    statement: unaudited('application.settle'),
    seenBy: ['application_movements_are_audited'],
  },
  {
    what: 'a pending refund that was settled into a wallet of somebody else',
    triggers: 'on',
    statement: `
      with settled as (select ledger.settle_pending(${named('waits')}, ${WALLET}) as status)
      select 'waits' as reference from settled where status = 'Successful'`,
    seenBy: ['resolutions_are_audited'],
  },
  {
    what: 'an audit entry of a reversal that never was',
    triggers: 'on',
    statement: `
      insert into audit.entry (actor, action, target, after) select 'cli', action, target, '{"reference": "never"}' from audit.entry
        where action in ('transaction.reverse', 'account.remit', 'suspense.resolve', 'application.settle') returning id as audit_id`,
    seenBy: [
      'application_movements_are_audited',
      'remittances_are_audited',
      'resolutions_are_audited',
      'reversals_are_audited',
    ],
  },
];
