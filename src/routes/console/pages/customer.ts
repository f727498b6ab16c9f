import { html } from '#lib/html.ts';
import { addressOfThing, calledOf, type Members } from '../catalogue/things.ts';
import { factsOf } from '../look/facts.ts';
import { table } from '../look/table.ts';
import { everything, headOfThing } from '../reads/item-page.ts';
import type { PagePart, Shown } from '../reads/shown.ts';
import { addressOfList, chosenOf, columnsIn, itemsOf, none, section } from './sections.ts';

const ABOUT = ['paytag', 'paytagStatus', 'phone', 'email', 'bvn', 'yearOfBirth', 'hasAddress', 'hasPassword'];
const KNOWN = ['frozenAt', 'bvnHandedBackAt', 'erasedAt', 'createdAt', 'updatedAt', 'id'];

/** A customer: who they are, masked, with their wallets at all partners and where they are logged in. */
export function customerPage(shown: Shown): PagePart {
  const { answer, operation, visitor } = shown;
  const wallets = answer['wallets'] as Members[];
  const sessions = answer['sessions'] as Members[];
  const tag = typeof answer['paytag'] === 'string' ? addressOfThing(visitor, 'getTag', answer['paytag']) : undefined;
  const title = calledOf(answer) ?? 'Customer';
  return {
    title,
    body: html`${headOfThing(shown, { title })}
${factsOf(visitor, chosenOf(operation.columns, ABOUT), answer)}
<p class="note">Personal data is masked. Whoever reveals it gives a reason, and the audit log says who saw what.${tag !== undefined && html` <a href="${tag}">Their tag</a>`}</p>
${section(
  'Wallets',
  wallets.length === 0
    ? none('None, at any partner.')
    : itemsOf(shown, 'listWallets', {
        items: wallets,
        names: [
          'reference',
          'partnerId',
          'nuban',
          'status',
          'totalAmount',
          'availableAmount',
          'isPrimary',
          'createdAt',
        ],
        label: 'Wallets',
      }),
)}
${section(
  'Logged in',
  sessions.length === 0
    ? none('Nowhere at the moment.')
    : table(visitor, { columns: columnsIn(shown, 'sessions'), items: sessions, label: 'Sessions' }),
  loginsOf(shown),
)}
${section('What is kept', factsOf(visitor, chosenOf(operation.columns, KNOWN), answer))}
${everything(shown)}`,
  };
}

/** Where all their logins are, the ended ones of the last day too. */
function loginsOf(shown: Shown): { address: string; label: string } | undefined {
  const address = addressOfList(shown, 'listSessions', { customerId: String(shown.answer['id']) });
  return address === undefined ? undefined : { address, label: 'All of the last day' };
}
