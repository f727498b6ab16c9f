import { lazy, lazyPackage } from '../lazy.ts';

/**
 * Latin letters that have no simpler one in them (those of Nigeria's languages: Hausa, Fulfulde, Kanuri, Efik; and European ones)
 * with accents, dots, tone marks and cedillas.
 */
const LATIN_WORD = /^(?:[A-Za-zƁɓƊɗƘƙƳƴǝƎəƏƐɛƆɔŊŋƝɲÆæŒœØøÐðÞþßĐđĦħıŁłŦŧ0-9]|[\u0300-\u0333])+$/u;
/** Letters, vowel signs and digits of Arabic script, as Nigeria writes it. */
const ARABIC_WORD =
  /^(?:[\u0620-\u064a\u066e\u066f\u0671-\u06d3\u06d5\u06ee\u06ef\u06fa-\u06ff\u0750-\u077f\u0870-\u0887\u0889-\u088e\u08a0-\u08c9\u0660-\u0669\u06f0-\u06f90-9]|[\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u08ca-\u08e1\u08e3-\u08ff])+$/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** What stands between words. An apostrophe of Hausa or Yoruba is a letter to Unicode, and a sign to people. */
const BETWEEN =
  /^[ \u00a0!"#$%&'()*+,\-./:;=?@[\\\]^_`{|}~\u00b7\u2010-\u2015\u2018-\u201f\u2026\u20a6\u00a3\u20ac\u060c\u061b\u061f]*$/u;
const APOSTROPHES = /[\u02bb\u02bc\u02b9]/g;

/** Longer than any name that we take. */
const LENGTH_MAX = 500;
const MARKS_MAX = 4;
const MARKS_TOO_MANY = /\p{M}{5}/u;
const MARK_ALONE = /(?:^|[^\p{L}\p{M}])\p{M}/u;

const topLevelDomains = lazy(() => new Set(lazyPackage<typeof import('tlds')>('tlds')()));
/** What ends names of computers, and is no domain of the world (RFC 6761, RFC 6762, RFC 8375). */
const LOCAL_DOMAINS = new Set(['example', 'home', 'internal', 'invalid', 'lan', 'local', 'localhost', 'onion', 'test']);
const DOTTED = /(?<=[\p{L}\p{N}])[ ]?[.\u00b7]([\p{L}\p{N}-]{2,63})/gu;
const ADDRESSES: readonly RegExp[] = [
  /:\/\/|\bwww[ .\u00b7]|\blocalhost\b|\b\d{1,3}(?:\.\d{1,3}){3}\b/iu,
  /\b(?:https?|ftp)[:/\\]|\b(?:mailto|javascript|vbscript|data|file|tel|sms|intent|whatsapp):(?! )/iu,
  // A port. John 3:16 is none.
  /\p{L}:\d{2,5}(?!\d)|[\p{L}\p{N}]:\d{4,5}(?!\d)/u,
  // A mail address, of whichever domain.
  /[\p{L}\p{N}]@[\p{L}\p{N}-]{1,63}[.\u00b7]\p{L}{2}/u,
];

/** Whether a text holds a web address or another address that a click opens. */
const holdsWebAddress = (text: string): boolean =>
  ADDRESSES.some((pattern) => pattern.test(text)) ||
  [...text.matchAll(DOTTED)].some(([, label = '']) => isTopLevel(label.toLowerCase()));

const isTopLevel = (label: string): boolean =>
  label.startsWith('xn--') || LOCAL_DOMAINS.has(label) || topLevelDomains().has(label);

/** Digits and what stands between them. */
const DIGITS = /[+\d][\d ().+/-]*/g;
/** The digits of a number to call: ten, nine behind 0 and seven behind +. A date has eight. */
const CALLED = /^(?:\d{10}|0\d{8}|\+\d{7})/;
/** How a code begins that a phone dials: `*737#`, `*737*1#`. */
const DIALLED_CODE = /\*\d{3,4}[*#]/;
/** Letters that look like digits, next to a digit. */
const DRAWN_DIGIT = /(?<=\d)[oOlI]|[oOlI](?=\d)/g;

/** Whether a text holds a phone number or a code to dial. */
function holdsNumberToCall(text: string): boolean {
  const digits = text.replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf));
  const drawn = digits.replaceAll(DRAWN_DIGIT, (letter) => (/o/i.test(letter) ? '0' : '1'));
  return (
    DIALLED_CODE.test(drawn) || (drawn.match(DIGITS) ?? []).some((run) => CALLED.test(run.replaceAll(/[ ()./-]/g, '')))
  );
}

/**
 * What is wrong with a name that is shown where people decide, e.g. type their password; undefined when nothing is. It must be Latin or
 * Arabic letters, one script in each word, at most four marks on a letter, without web address and phone number.
 *
 * @returns what it must be, to stand behind the name of the member
 */
export function problemOfShownName(name: string): string | undefined {
  if (name.length > LENGTH_MAX) return `must have at most ${LENGTH_MAX} characters`;
  const letters = name.normalize('NFD').replaceAll(APOSTROPHES, "'");
  if (MARKS_TOO_MANY.test(letters)) return `must have at most ${MARKS_MAX} marks on a letter`;
  if (MARK_ALONE.test(letters)) return 'must have no mark without a letter before it';
  const words = letters.match(WORD) ?? [];
  if (
    !words.every((word) => LATIN_WORD.test(word) || ARABIC_WORD.test(word)) ||
    !BETWEEN.test(letters.replaceAll(WORD, ''))
  ) {
    return 'must be words in Latin or Arabic letters, each in one of them, with ordinary digits and punctuation';
  }
  if (!words.some((word) => /\p{L}/u.test(word))) return 'must have a letter';
  if (holdsWebAddress(name)) return 'must not hold a web or mail address: put a blank behind a dot or colon';
  return holdsNumberToCall(name) ? 'must not hold a number to call' : undefined;
}
