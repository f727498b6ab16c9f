import { gathered } from '#lib/gathered.ts';
import { preparedText } from '#lib/prepared.ts';
import { payTagApplicationId } from '#modules/applications';
import type { Currency } from '#modules/ledger';

/** What stands behind a tag. */
export interface TagParty {
  handle: string;
  namespace: string;
  applicationId: string;
  applicationName: string;
  isSuspended: boolean;
  /** Its application's wallet in the currency; of a PayTag, its customer's primary wallet. */
  account: number | null;
}

interface Parties {
  ordinal: number;
  /** The id of a transaction between them. */
  id: string;
  sender: TagParty | null;
  receiver: TagParty | null;
}

const party = (side: string) => `case when ${side}.handle is not null then jsonb_build_object('handle', ${side}.handle,
  'namespace', ${side}.namespace, 'applicationId', ${side}.application_id, 'applicationName', ${side}.application_name,
  'isSuspended', ${side}.is_suspended, 'account', ${side}.account) end as ${side}`;

const behind = (side: string) => `left join lateral (
    select p.*, case p.application_id when '${payTagApplicationId}'
        then (select w.account_id from wallets.primary_account(case p.application_id when '${payTagApplicationId}' then p.external_id::uuid end) w)
        else (select a.id from ledger.account a
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
