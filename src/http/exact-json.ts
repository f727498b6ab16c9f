import secureJson from 'secure-json-parse';
import { DomainError } from '#lib/domain-error.ts';
import { exactValue } from '#lib/minor-units.ts';
import { isStorable } from '#lib/text/input.ts';

/** Characters of a number. More digits than a double has, and the exponent, need no more. */
const NUMBER_MAX = 40;

/**
 * A number whose value a double does not hold: `1e400`, 9007199254740993, 0.10000000000000000001.
 * It fails wherever a number is asked for, and passes through free-form members as the text it came as, so that it is not lost.
 */
class InexactNumber {
  readonly #source: string;
  constructor(source: string) {
    this.#source = source;
  }
  toJSON(): string {
    return this.#source;
  }
}

/** By its value, however it is written: Java writes ten million as `1.0E7`. */
const isExact = (value: number, source: string): boolean => {
  const shortest = String(value);
  return shortest === source || (exactValue(shortest) === exactValue(source) && !Object.is(value, -0));
};

/** How the parser says that a member would change what objects are. */
const FORBIDDEN = /forbidden prototype/;

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
    return isExact(value, context.source) ? value : new InexactNumber(context.source);
  };
  try {
    return secureJson.parse(text, revive, { protoAction: 'error', constructorAction: 'error' });
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    const message = FORBIDDEN.test(String(cause))
      ? 'the body must have no member __proto__, and no constructor with a prototype in it'
      : 'the body is not valid JSON';
    throw new DomainError('MALFORMED_JSON', message, { cause });
  }
}
