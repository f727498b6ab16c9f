/** 32 random bytes have about 30 different values, and fewer than 16 less than once in 10^15 keys. */
const DIFFERENT_BYTES_MIN = 16;
/** Random hexadecimal digits, 32 of them, have fewer different ones less than once in 10^8 tokens. */
const DIFFERENT_CHARACTERS_MIN = 7;
/** What pages, tests and sandboxes put into a token, and chance does not. */
const WORDS = /sandbox|example|changeme|change_me|change-me|password|secret_|01234567|12345678|abcdefgh/i;

/**
 * Tells a key or token that nobody drew at random: one byte repeated, few different ones, a sequence, a short piece again and
 * again, or the words of an example. It cannot tell that one is random.
 */
export function isPlainlyNotRandom(secret: Buffer | string): boolean {
  const isKey = typeof secret !== 'string';
  const bytes = [...(isKey ? secret : Buffer.from(secret))];
  const steps = new Set(bytes.slice(1).map((byte, at) => (byte - (bytes[at] ?? 0) + 256) % 256));
  return (
    new Set(bytes).size < (isKey ? DIFFERENT_BYTES_MIN : DIFFERENT_CHARACTERS_MIN) ||
    steps.size === 1 ||
    repeatsItself(bytes) ||
    (!isKey && WORDS.test(secret))
  );
}

/** Whether all of it is a piece of at most half its length, again and again. */
function repeatsItself(bytes: readonly number[]): boolean {
  const lengths = Array.from({ length: Math.floor(bytes.length / 2) }, (_, at) => at + 1);
  return lengths.some((length) => bytes.every((byte, at) => byte === bytes[at % length]));
}
