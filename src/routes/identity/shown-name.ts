import { text } from '../../http/text.ts';

/** A name that other people are shown: no control or formatting character, nothing that opens markup. */
export const shownName = text(100).regex(/^[^\p{Cc}\p{Cf}<>]+$/u, 'holds a character that is not allowed');
