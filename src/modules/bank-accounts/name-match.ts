import { foldedWords } from '#lib/folded-words.ts';

/** Real names have fewer words; of a longer one only these are read. */
const TOKENS_MAX = 16;
/** Words by which an account is a company's, or has a second holder: money paid there is not the customer's alone. */
const NOT_ONE_PERSON: ReadonlySet<string> = new Set(
  'AND LTD LIMITED PLC LLC INC COMPANY ENTERPRISE ENTERPRISES VENTURE VENTURES TRADING STORES SERVICES HOLDINGS FOUNDATION'.split(
    ' ',
  ),
);

type Tokens = readonly string[];

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
  const names = [tokensOf(firstName), tokensOf(lastName)];
  const account = tokensOf(accountName.replaceAll(/[&+]/g, ' AND '));
  const beside = account.filter((word) => !names.flat().includes(word));
  if (beside.some((word) => NOT_ONE_PERSON.has(word))) return false;
  return names.every((name) => name.length > 0) && holds(account, names);
}

const tokensOf = (text: string): Tokens => foldedWords(text).slice(0, TOKENS_MAX);

function holds(account: Tokens, [name, ...others]: readonly Tokens[]): boolean {
  if (name === undefined) return true;
  return leftovers(account, name).some((left) => holds(left, others));
}

/** What is left of the account's words, for each way to find a name among them. */
function leftovers(account: Tokens, name: Tokens): Tokens[] {
  const whole = name.join('');
  const left: Tokens[] = [];
  for (let start = 0; start < account.length; start += 1) {
    for (let end = start + 1; end <= account.length; end += 1) {
      if (account.slice(start, end).join('') === whole) left.push(account.toSpliced(start, end - start));
    }
  }
  const apart = name.reduce<Tokens | undefined>(without, account);
  return apart === undefined ? left : [...left, apart];
}

/** The words but for one, or undefined when it is not among them. */
function without(words: Tokens | undefined, word: string): Tokens | undefined {
  const at = words?.indexOf(word) ?? -1;
  return at < 0 ? undefined : words?.toSpliced(at, 1);
}
