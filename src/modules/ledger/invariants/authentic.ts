import { equalDigests } from '#lib/crypto/digest.ts';
import type { StreamedInvariant } from '#lib/room.ts';
import { type Authenticate, factsOf, type PostingFacts } from '../posting-mac.ts';

type Row = Record<Exclude<keyof PostingFacts, 'refundsRemainder'>, string | null> & { id: string; mac: string | null };

/**
 * Transactions that no operation of ours made, or whose facts were changed since: their MAC does not vouch for them. Those that
 * were posted before there were MACs have none; a later one without is found too. Metadata and times are not among the
 * facts: the seals hold those.
 */
export const postingsAreAuthentic = (authenticate: Authenticate): StreamedInvariant => ({
  name: 'postings_are_authentic',
  promise: 'every transaction was posted by an operation of ours, and says what it said then',
  async *find(reader, scope) {
    const rows = reader.stream<Row>(`
      select id, owner_id as owner, namer, reference, encode(request_hash, 'hex') as "requestHash", partner_id as partner, type,
        currency, source_id as source, destination_id as destination, amount, fee, commission, stamp_duty as "stampDuty",
        external_reference as "externalReference", comment, original_id as original,
        case when mac is not null then encode(mac, 'hex')
             when id < coalesce((select min(id) from ledger.transaction where mac is not null), id + 1) then '' end as mac
      from ledger.transaction where ${scope.moment('created_at')}`);
    for await (const row of rows) {
      if (row.mac === '' || isVouchedFor(row, authenticate)) continue;
      yield { id: row.id, owner_id: row.owner, namer: row.namer, reference: row.reference };
    }
  },
});

function isVouchedFor({ mac, ...row }: Row, authenticate: Authenticate): boolean {
  if (mac === null) return false;
  const id = (value: string | null): number | null => (value === null ? null : Number(value));
  const facts = {
    ...row,
    source: id(row.source),
    destination: id(row.destination),
    original: id(row.original),
  } as unknown as PostingFacts;
  const isMadeOf = (made: PostingFacts) => equalDigests(Buffer.from(mac, 'hex'), authenticate(factsOf(made)));
  return isMadeOf(facts) || (facts.original !== null && isMadeOf({ ...facts, refundsRemainder: true }));
}
