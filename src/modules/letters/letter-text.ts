import type { LetterRow } from './store.ts';

interface About {
  /** Who writes. */
  from: string;
  /** The link in it, where it has one. */
  url: string | undefined;
}

/** A moment as anybody reads it, to the minute. */
const at = (moment: Date): string => `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** What was done, when, and what to do if it should not have been. No secret is quoted. */
export function letterText(
  { kind, facts, happenedAt, linkUntil }: Pick<LetterRow, 'kind' | 'facts' | 'happenedAt' | 'linkUntil'>,
  { from, url }: About,
): { subject: string; text: string } {
  const until = linkUntil === null ? '' : at(linkUntil);
  const shown = (what: string) =>
    url === undefined
      ? `It was shown to whoever asked for it.`
      : `The link below shows ${what} once, until ${until}. Open it where you can keep it; whoever opens it first has it.`;
  const told = {
    CONTACT_PROOF: {
      subject: 'Is this your address?',
      what: `This address was given as the contact of ${facts.ownerName}. New secrets go to it once you have said that it is yours: follow the link below until ${until}, and press the button there.`,
      unless: 'If you know nothing of it, do nothing.',
    },
    API_KEY: {
      subject: 'A new API key',
      what: `${facts.ownerName} has a new API key (${facts.keyId ?? ''}) since ${at(happenedAt)}. ${shown('it')}`,
      unless: 'If nobody of yours asked for it, tell us at once: we revoke it.',
    },
    CLIENT_SECRET: {
      subject: 'A new client secret',
      what: `${facts.ownerName} has a new client secret since ${at(happenedAt)}.${facts.previousUntil === undefined ? ' The one before is taken no more.' : ` The one before is taken until ${facts.previousUntil}.`} ${shown('it')}`,
      unless: 'If nobody of yours asked for it, tell us at once.',
    },
    WEBHOOK_SECRET: {
      subject: 'A new webhook secret',
      what: `Webhooks of ${facts.ownerName} are signed with a new secret since ${at(happenedAt)}.${facts.previousUntil === undefined ? ' The one before signs no more.' : ` The one before signs too until ${facts.previousUntil}.`} ${shown('it')}`,
      unless: 'If nobody of yours asked for it, tell us at once.',
    },
    PARTNER_CHANGED: {
      subject: 'Your settings were changed',
      what: `Of ${facts.ownerName} there was changed at ${at(happenedAt)}: ${facts.what ?? ''}.`,
      unless: 'If nobody of yours asked for it, tell us at once.',
    },
    MONEY_FREED: {
      subject: 'Money can be spent again',
      what: `At ${facts.ownerName} money that was kept back can be spent again since ${at(happenedAt)}: ${facts.what ?? ''}.`,
      unless: 'If you do not know why, ask us.',
    },
    LIMIT_LIFTED: {
      subject: 'A limit was lifted',
      what: `A limit of ${facts.ownerName} was lifted at ${at(happenedAt)}: ${facts.what ?? ''}.`,
      unless: 'If you do not know why, ask us.',
    },
  }[kind];
  const lines = [told.what, ...(url === undefined ? [] : [url]), told.unless, from];
  return { subject: `${from}: ${told.subject}`, text: lines.join('\n\n') };
}
