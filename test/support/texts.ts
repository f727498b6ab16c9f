import fc from 'fast-check';
import { english } from '../../src/routes/pages/messages/en.ts';
import type { TextKey, Translation } from '../../src/routes/pages/texts.ts';

const LAST = 0x10_ff_ff;
const SURROGATES = { from: 0xd8_00, to: 0xdf_ff };

const codePoint = fc
  .oneof(fc.nat(SURROGATES.from - 1), fc.integer({ min: SURROGATES.to + 1, max: LAST }))
  .map((code) => String.fromCodePoint(code));

/** Any text. fast-check's own unit `binary` lists the million characters that there are first, which takes seconds. */
export const anyText = ({ maxLength }: { maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ unit: codePoint, ...(maxLength !== undefined && { maxLength }) });

/** A language that nobody speaks: every text of ours stands in brackets, so that whatever is not from a message file shows. */
export function pseudoLanguage(): Record<string, unknown> {
  const inBrackets = (text: string) => `⟦${text}⟧`;
  return Object.fromEntries(
    Object.entries(english).map(([key, message]) => [
      key,
      typeof message === 'string'
        ? inBrackets(message)
        : Object.fromEntries(Object.entries(message).map(([form, text]) => [form, inBrackets(text)])),
    ]),
  );
}

const placesOf = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted((one, other) => one.localeCompare(other));
const formsOf = (message: unknown) => (typeof message === 'string' ? { other: message } : Object(message));

/** What is wrong with a translation, by key: missing, unknown, without a form that its language needs, or with other places. */
export function faultsOf(language: string, translation: Translation): string[] {
  const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const faults: string[] = Object.keys(translation)
    .filter((key) => !(key in english))
    .map((key) => `unknown: ${key}`);
  for (const [key, said] of Object.entries(english) as [TextKey, string | Record<string, string>][]) {
    const translated = translation[key];
    if (translated === undefined) {
      faults.push(`missing: ${key}`);
      continue;
    }
    const forms: Record<string, string> = formsOf(translated);
    if (typeof said !== 'string') {
      for (const form of needed) if (forms[form] === undefined) faults.push(`missing: ${key}, ${form}`);
    }
    const places = String(placesOf(formsOf(said).other));
    const others = Object.entries(forms).filter(([form]) => form === 'other' || typeof said === 'string');
    for (const [, text] of others) if (String(placesOf(text)) !== places) faults.push(`other places: ${key}`);
  }
  return faults;
}
