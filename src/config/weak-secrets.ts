import { sha256 } from '#lib/crypto/digest.ts';

/** 32 random bytes have about 30 different values, and fewer than 16 less than once in 10^15 keys. */
const DIFFERENT_BYTES_MIN = 16;
/** Random hexadecimal digits, 32 of them, have fewer different ones less than once in 10^8 tokens. */
const DIFFERENT_CHARACTERS_MIN = 7;
/** So many equal steps in a row, as from 1 to 9, come less than once in 10^6 tokens of hexadecimal digits. */
const EQUAL_STEPS_MAX = 7;
/** Words of examples, tests, sandboxes and keyboards, which random tokens do not have. */
const WORDS =
  /sandbox|example|changeme|change_me|change-me|password|secret_|01234567|12345678|abcdefgh|qwerty|asdfgh|zxcvbn/i;
/** Words or numbers with separators: a passphrase. */
const PHRASE = /^(?:(?:[A-Z]?[a-z]+|[A-Z]+|\d+)(?:[-_.~+/]|$)){3,}$/;
/** The prefix of operators' tokens, which is not random. */
const PREFIX = /^op_((sandbox|staging|live)_)?/;
/** Memorable words that keys are sometimes derived from. */
const HASHED = [
  '',
  'password',
  'secret',
  'changeme',
  'admin',
  'test',
  'hello',
  '123456',
  '12345678',
  'paytag',
  'PayTag',
];

/**
 * True for a key or token that cannot be random: one byte repeated, few different bytes, a sequence, a repeated piece, text, or words of
 * an example. False does not prove that it is random.
 */
export const isWeakSecret = (secret: Buffer | string): boolean =>
  typeof secret === 'string' ? isWritten(secret) : isMadeUp(secret);

const isWritten = (token: string): boolean => {
  const drawn = token.replace(PREFIX, '');
  const bytes = [...Buffer.from(drawn)];
  return new Set(bytes).size < DIFFERENT_CHARACTERS_MIN || isRegular(bytes) || WORDS.test(token) || PHRASE.test(drawn);
};

const isMadeUp = (key: Buffer): boolean =>
  new Set(key).size < DIFFERENT_BYTES_MIN ||
  isRegular([...key]) ||
  key.every((byte) => byte >= 0x20 && byte <= 0x7e) ||
  HASHED.some((word) => sha256(word).equals(key));

const isRegular = (bytes: readonly number[]): boolean => countsUp(bytes) || repeatsItself(bytes);

/** Whether many equal steps follow each other. */
function countsUp(bytes: readonly number[]): boolean {
  const steps = bytes.slice(1).map((byte, at) => byte - (bytes[at] ?? 0));
  let equal = 0;
  return steps.some((step, at) => {
    equal = step === steps[at - 1] ? equal + 1 : 1;
    return equal > EQUAL_STEPS_MAX;
  });
}

/** Whether all of it repeats a piece of at most half its length. */
function repeatsItself(bytes: readonly number[]): boolean {
  const lengths = Array.from({ length: Math.floor(bytes.length / 2) }, (_, at) => at + 1);
  return lengths.some((length) => bytes.every((byte, at) => byte === bytes[at % length]));
}
