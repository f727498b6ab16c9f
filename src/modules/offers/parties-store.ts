import { type RowInSql, rowInSql } from '#lib/crypto/routing-facts.ts';
import { gathered } from '#lib/postgres/gathered-reads.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { payTagApplicationId } from '#modules/clients';
import { accountRoute, type Currency } from '#modules/ledger';
import type { PayableRows } from '#modules/tags';
import type { walletRoute } from '#modules/wallets';

/** What stands behind a tag. */
export interface TagParty extends PayableRows {
  handle: string;
  namespace: string;
  applicationId: string;
  applicationName: string;
  isSuspended: boolean;
  /** Its application's account in the currency. */
  account: RowInSql<typeof accountRoute> | null;
  /** Of a PayTag instead: its customer's primary wallet. */
  wallet: RowInSql<typeof walletRoute> | null;
}

interface Parties {
  ordinal: number;
  /** The id of a transaction between them. */
  id: string;
  sender: TagParty | null;
  receiver: TagParty | null;
}

const party = (side: string) => `case when ${side}.handle is not null then json_build_object('handle', ${side}.handle,
  'namespace', ${side}.namespace, 'applicationId', ${side}.application_id, 'applicationName', ${side}.application_name,
  'isSuspended', ${side}.is_suspended, 'tag', ${side}.tag, 'subject', ${side}.subject, 'account', ${side}.account,
  'wallet', ${side}.wallet) end as ${side}`;

const behind = (side: string) => `left join lateral (
    select p.*, case when p.application_id = '${payTagApplicationId}' then (select w.wallet
          from wallets.primary_wallet(case p.application_id when '${payTagApplicationId}' then p.external_id::uuid end) w) end as wallet,
        case when p.application_id <> '${payTagApplicationId}' then (select ${rowInSql(accountRoute, 'a')} from ledger.account a
               where a.kind = 'APPLICATION' and a.reference = p.application_id::text and a.currency = asked.currency) end as account
      from tags.payable(asked.${side}) p) ${side} on true`;

const selectAll = preparedText<Parties>(
  'tag-transactions.parties',
  `select asked.ordinal::int, uuidv7() as id, ${party('sender')}, ${party('receiver')}
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality asked (sender, receiver, currency, ordinal)
     ${behind('sender')}
     ${behind('receiver')}`,
);

/** What stands behind two handles. Those who ask at the same moment share a statement. */
export const selectParties = gathered<
  { sender: string | undefined; receiver: string | undefined; currency: Currency },
  Parties
>((db, asked) =>
  selectAll(db, [
    asked.map(({ sender }) => sender ?? null),
    asked.map(({ receiver }) => receiver ?? null),
    asked.map(({ currency }) => currency),
  ]),
);
