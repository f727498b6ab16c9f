const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text, as it stands in an element or in a quoted attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

/** Markup that is ours: whatever was not is escaped in it. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
export type Html = Markup;

/** What may stand in a template. What is undefined or false is left out. */
export type Part = string | number | Html | readonly Html[] | undefined | false;

/** A template whose texts are escaped, so that forgetting to do it is not possible. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Markup(strings.reduce((text, string, index) => `${text}${written(parts[index - 1])}${string}`));

/** Takes a text for markup. Never one that came from outside. */
export const ourMarkup = (text: string): Html => new Markup(text);

function written(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  return typeof part === 'object' ? part.map(({ text }) => text).join('') : escaped(String(part));
}
