import type { TestApp } from '../support/app.ts';
import {
  answerConsent,
  askForClaim,
  type Ends,
  newEnds,
  newLink,
  type TestClaim,
  type TestLink,
} from '../support/claims.ts';
import { offer, type TransactionOut } from '../support/switch.ts';
import { newSubject } from '../support/tags.ts';

/** What two applications have with each other, and a third that it does not concern. */
export interface World extends Ends {
  /** Of the primary, which asks and pays; the secondary is asked and paid. */
  subjectId: string;
  pending: TestClaim;
  approved: TestClaim;
  link: TestLink;
  transaction: TransactionOut;
}
export async function newWorld(server: TestApp): Promise<World> {
  const ends = await newEnds(server);
  const { primary, secondary } = ends;
  const ask = async (subjectId: string) =>
    (await askForClaim(server, primary, secondary.tag, { subjectId })).json<{ data: TestClaim }>().data;
  const approved = await ask(await newSubject(server, primary));
  await answerConsent(server, secondary, approved.consentToken, 'approve');
  const subjectId = await newSubject(server, primary);
  return {
    ...ends,
    subjectId,
    approved,
    pending: await ask(await newSubject(server, primary)),
    link: await newLink(server, ends),
    transaction: await offer(server, { ...primary, name: 'Acme' }, { ...secondary, name: 'Bola Bank' }),
  };
}

/** All that anybody could have changed, as text. */
export async function everythingOf({ resources }: TestApp): Promise<string> {
  const tables = ['claims.claim', 'federations.link', 'tag_transactions.tag_transaction', 'tags.tag', 'outbox.event'];
  const read = [...tables, 'webhooks.delivery', 'ledger.hold', 'ledger.entry', 'applications.application'].map(
    async (table) => {
      const { rows } = await resources.pool.query(`select to_jsonb(t) as row from ${table} t order by 1`);
      return `${table}: ${JSON.stringify(rows)}`;
    },
  );
  return (await Promise.all(read)).join('\n');
}
