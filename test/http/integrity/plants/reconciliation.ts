import type { Plant } from './plant.ts';

const MATCHED = `(select id from reconciliation.item where status = 'MATCHED')`;

/** Files of banks, and what became of their lines. */
export const reconciliationPlants: readonly Plant[] = [
  {
    what: 'a posting of another day than was matched',
    statement: `update reconciliation.item set our_day = our_day - 1 where id = ${MATCHED} returning id`,
    seenBy: ['reconciled_postings_are_their_entries'],
  },
  {
    what: 'an imported line that is gone',
    statement: `delete from reconciliation.item where id = ${MATCHED} returning import_id as id`,
    seenBy: ['imported_lines_are_their_file'],
  },
  {
    what: 'an adjustment whose item says something else',
    statement: `
      with changed as (update reconciliation.item set adjustment_id = null, status = 'TIMING' where status = 'RESOLVED'
        returning old.adjustment_id as id)
      select id from changed`,
    seenBy: ['adjustments_are_their_difference'],
  },
  {
    what: 'a resolution that nobody is on record for',
    statement: `update reconciliation.item set action = 'MATCH' where status = 'RESOLVED' returning id`,
    seenBy: ['resolutions_of_items_are_audited'],
  },
];
