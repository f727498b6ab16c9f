import type { Plant } from './plant.ts';
import { FLOAT } from './rows.ts';

/** Adds up everything that is there. */
const ADDED_UP = `do $$ begin while books.add_up(now()) is not null loop end loop; end $$;`;

export const bookPlants: readonly Plant[] = [
  {
    what: 'a day of which too much is added up',
    statement: `${ADDED_UP}
      update books.day_total set credits = credits + 100 where kind = 'FEE' and currency = 'NGN' returning kind, currency`,
    seenBy: ['day_totals_are_their_entries'],
  },
  {
    what: 'an hour of which too much is added up',
    statement: `${ADDED_UP}
      update books.hour_total set debits = debits + 100 where currency = 'NGN' returning hour, type`,
    seenBy: ['hour_totals_are_their_entries'],
  },
  {
    what: 'days of a partner that are lost',
    statement: `${ADDED_UP}
      delete from books.partner_day_total where partner_id = (select partner_id from ledger.account where id = ${FLOAT})
        returning partner_id, kind, currency, type`,
    seenBy: ['partner_day_totals_are_their_entries'],
  },
];
