/** What needs no look: printable ASCII, in lines. */
const PLAIN = /^[\x20-\x7e\n\t]*$/;
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;
const CONTROLS = /[^\P{Cc}\n\t]/gu;
/** Code points that nobody sees, by Unicode's own list; but joiners and the choice of an emoji's look, which spell words and signs. */
const UNSEEN = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\ufffe\uffff]/gu;
const MARKS_MAX = /(\p{M}{4})\p{M}+/gu;

/**
 * What people wrote, as other people are shown it: in pages, files, mails and statements. Without what acts on those who look at
 * it: control characters (escape sequences of terminals among them), characters that turn the direction of what follows or that
 * nobody sees, lone surrogates, and heaps of marks on one letter. Answers of the APIs keep the text as it was written.
 */
export function cleaned(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(LINE_ENDS, '\n')
    .replaceAll(CONTROLS, '')
    .replaceAll(UNSEEN, '')
    .replaceAll(MARKS_MAX, '$1');
}
