import { type Brand, signatureOf } from '#lib/brand.ts';
import type { Email } from '../../providers/email/port.ts';
import { day, periodText, time } from './format.ts';
import type { Period } from './period.ts';

/** The mail that tells a customer that their statement is ready. It holds nothing of the statement's content. */
export const statementMail = ({
  name,
  url,
  expiresAt,
  brand,
  ...period
}: Period & { name: string; url: string; expiresAt: Date; brand: Brand }): Pick<Email, 'subject' | 'text'> => ({
  subject: `Your ${brand.name} statement, ${periodText(period)}`,
  text: `Hello ${name},

the statement of account that you asked for, ${periodText(period)}, is ready:

${url}

The link works until ${time(expiresAt)} on ${day(expiresAt)} (West Africa Time). Whoever has it can read the statement, so do not pass it on.

If you did not ask for a statement, tell the partner with whom you keep your wallet.

${signatureOf(brand)}
`,
});
