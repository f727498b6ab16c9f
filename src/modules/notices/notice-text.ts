import type { NoticeRow } from './store.ts';

/** A moment as a customer reads it: in Lagos. */
export const momentText = (moment: Date): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Lagos', dateStyle: 'medium', timeStyle: 'short' }).format(
    moment,
  );

const RESET = 'reset your password now, in any app that uses PayTag';

/**
 * Who did what and when, and what to do if it was not the customer: short enough for a text message.
 *
 * @param about.from who tells it
 */
export function noticeText(
  { kind, detail, happenedAt }: Pick<NoticeRow, 'kind' | 'detail' | 'happenedAt'>,
  { tag, partnerName, from }: { tag: string; partnerName: string; from: string },
): { subject: string; text: string } {
  const at = momentText(happenedAt);
  const told = {
    CREATED: {
      subject: 'A PayTag was made for you',
      text: `${partnerName} made the PayTag ${tag} for you, by your BVN (${at}). It is yours: set its password in any app that uses PayTag. If you do not know why, ask them.`,
    },
    LINKED: {
      subject: 'Your PayTag was linked',
      text: `${partnerName} linked your PayTag ${tag} by your BVN (${at}). If you do not know why, ask them.`,
    },
    FIRST_LOGIN: {
      subject: 'A first login with your PayTag',
      text: `First login to PayTag ${tag} at ${partnerName} (${at}). If it was not you, ${RESET}.`,
    },
    PASSWORD_RESET: {
      subject: 'Your PayTag password was changed',
      text: `The password of PayTag ${tag} was changed at ${partnerName} (${at}). If it was not you, ${RESET}.`,
    },
    CONTACT_CHANGE: {
      subject: 'A contact of your PayTag changes',
      text: `PayTag ${tag} gets the ${detail}, asked for at ${partnerName} (${at}). If it was not you, ${RESET}: that stops it.`,
    },
    CONTACT_CHANGE_CANCELLED: {
      subject: 'A contact of your PayTag does not change',
      text: `The change of the contact of PayTag ${tag} was cancelled at ${partnerName} (${at}). If it was not you, ${RESET}.`,
    },
    RELEASED: {
      subject: 'Your PayTag can be used again',
      text: `${partnerName} let PayTag ${tag} and its wallets be used again (${at}). If you do not know why, ask them.`,
    },
  }[kind];
  return { subject: told.subject, text: `${from} notice: ${told.text}` };
}
