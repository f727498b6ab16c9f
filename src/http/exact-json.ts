import secureJson from 'secure-json-parse';
import { DomainError } from '#lib/domain-error.ts';
import { plainDecimal } from '#lib/minor-units.ts';
import { isStorable } from '#lib/storable-text.ts';

/** Characters of a number. More digits than a double has, and the exponent, need no more. */
const NUMBER_MAX = 40;

/**
 * A number whose text JavaScript would change: `1e400`, `10.000`, 9007199254740993.
 * It fails wherever a number is asked for, and passes through free-form members without loss.
 */
class InexactNumber {
  readonly #value: number;
  readonly #source: string;
  constructor(value: number, source: string) {
    this.#value = value;
    this.#source = source;
  }
  /** Its value where only the writing differs (`10.000`), else the text it came as, so that it is not lost. */
  toJSON(): number | string {
    return String(this.#value) === plainDecimal(this.#source) ? this.#value : this.#source;
  }
}

/** Plain decimals whose value a double keeps. Two trailing zeros at most are a way of writing money. */
const isExact = (value: number, source: string): boolean =>
  String(value) === source || (/^-?\d{1,13}(\.\d{1,2})?$/.test(source) && source !== '-0');

/**
 * JSON.parse that changes no number silently. Of a member that stands twice the last counts, as everywhere in JavaScript.
 *
 * @throws DomainError MALFORMED_JSON
 */
export function parseExactJson(text: string): unknown {
  const revive = (key: string, value: unknown, context?: { source?: string }): unknown => {
    if (!isStorable(key))
      throw new DomainError('MALFORMED_JSON', 'a member name holds a character that is not allowed');
    if (typeof value === 'string' && !isStorable(value)) {
      throw new DomainError('MALFORMED_JSON', `${key || 'body'}: holds a NUL or half a character`);
    }
    if (typeof value !== 'number' || context?.source === undefined) return value;
    if (context.source.length > NUMBER_MAX) {
      throw new DomainError('MALFORMED_JSON', `${key || 'body'}: a number must have at most ${NUMBER_MAX} characters`);
    }
    return isExact(value, context.source) ? value : new InexactNumber(value, context.source);
  };
  try {
    return secureJson.parse(text, revive, { protoAction: 'error', constructorAction: 'error' });
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError('MALFORMED_JSON', 'the body is not valid JSON', { cause });
  }
}
