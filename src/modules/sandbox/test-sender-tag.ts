import { randomId } from '#lib/random.ts';
import { isReserved } from '#modules/reserved-names';

/**
 * A handle for the application that offers test money. Random letters can spell a name that nobody may have, e.g. that of
 * the EFCC: then others are drawn.
 */
export function testSenderTag(draw: () => string = randomId): string {
  for (;;) {
    const tag = `test-sender-${draw().slice(0, 6)}`;
    if (!isReserved(tag)) return tag;
  }
}
