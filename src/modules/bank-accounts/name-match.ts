import { holdsNames, nameWords } from '#lib/holds-names.ts';

/** Words by which an account is a company's, or has a second holder: money paid there is not the customer's alone. */
const NOT_ONE_PERSON: ReadonlySet<string> = new Set(
  'AND LTD LIMITED PLC LLC INC COMPANY ENTERPRISE ENTERPRISES VENTURE VENTURES TRADING STORES SERVICES HOLDINGS FOUNDATION'.split(
    ' ',
  ),
);

/**
 * Whether a bank account's name is a person's: their first and their last name are both in it, in any order, with any
 * other names beside them. Case, accents and punctuation make no difference, and a compound name may be written in one
 * word (ADEOJO), with a hyphen (ADE-OJO) or in two (ADE OJO). No word of the account stands for two names. A company's
 * account, or one with a second holder, is not theirs.
 */
export function isNamedAfter(
  accountName: string,
  { firstName, lastName }: { firstName: string; lastName: string },
): boolean {
  const names = [nameWords(firstName), nameWords(lastName)];
  const account = nameWords(accountName.replaceAll(/[&+]/g, ' AND '));
  const beside = account.filter((word) => !names.flat().includes(word));
  if (beside.some((word) => NOT_ONE_PERSON.has(word))) return false;
  return holdsNames(account, names);
}
