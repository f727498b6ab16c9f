import { beforeAll, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { readPdf } from '../../support/statements.ts';
import { initiate, newSide } from '../../support/switch.ts';
import { type LoggedIn, loggedIn, pay } from '../../support/wallets.ts';

const server = useSharedApp();
/** The senders' own names for what they pay. */
const OWN = ['rent-of-ada', 'wages-of-acme'];
let [ada, bola]: (LoggedIn | undefined)[] = [];

/** Ada pays Bola, who is at another partner, and so does an application. */
beforeAll(async () => {
  const [here, there] = [await server.newPartner({ float: 1_000 }), await server.newPartner()];
  [ada, bola] = [await loggedIn(server, here, 500), await loggedIn(server, there)];
  const acme = await newSide(server, 'Acme');
  const [reference, wages] = OWN;
  await pay(server, ada, { paytag: bola.paytag, amount: 100, reference, comment: 'May' });
  await initiate(server, acme, { receiverTag: bola.paytag, amount: 50, reference: wages, narration: 'June' });
});

/** Everything that a customer and their partner can read of what moved the customer's wallet, as text. */
async function readsOf(person: LoggedIn): Promise<Record<string, string>> {
  const { headers, wallet } = person;
  const read = async (url: string) => (await server.call('GET', url, { headers })).body;
  const history: { items: { Reference: string }[] } = JSON.parse(await read(`/v2/partner/wallet/${wallet}/history`));
  const each = history.items.map(({ Reference }) => read(`/v2/partner/transaction/${Reference}`));
  const statement = async (format: string) => {
    const asked = await server.call('POST', `/v2/sso/transaction/statement?format=${format}`, { headers });
    return (await server.call('GET', new URL(asked.json<{ url: string }>().url).pathname)).rawPayload;
  };
  return {
    history: JSON.stringify(history),
    transactions: (await Promise.all(each)).join('\n'),
    customer: await read('/v2/sso/transaction'),
    csv: (await statement('csv')).toString(),
    html: (await statement('html')).toString(),
    pdf: (await readPdf(await statement('pdf'))).pages.join('').replaceAll(/\s/g, ''), // it breaks long words
  };
}

const places = ['history', 'transactions', 'customer', 'csv', 'html', 'pdf'];
it.each(places)('the receiving side is shown the comment, and not the sender’s own reference: %s', async (place) => {
  if (bola === undefined) throw new Error('nobody was paid');
  const text = (await readsOf(bola))[place];
  for (const shown of ['May', 'June', 'TRF-', 'SWT-']) expect(text).toContain(shown);
  for (const own of OWN) expect(text).not.toContain(own);
});

it('the sender and their partner are shown it', async () => {
  if (ada === undefined) throw new Error('nobody paid');
  const { history, transactions, customer, csv } = await readsOf(ada);
  for (const text of [history, transactions, customer, csv]) expect(text).toContain('rent-of-ada');
});
