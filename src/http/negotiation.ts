/** The media ranges of an Accept header and how much each is wanted; those that are not are left out. */
function rangesOf(accept: string): { type: string; weight: number }[] {
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .map(([type = '', ...parameters]) => {
      const weight = parameters.map((parameter) => /^q=(\d(?:\.\d*)?)$/.exec(parameter)?.[1]).find(Boolean);
      return { type, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0);
}

/** What an Accept header says of media types: true for a client that takes JSON and no text of another kind (RFC 9110 12.5.1). */
export function acceptsOnlyJson(accept: string | undefined): boolean {
  const ranges = rangesOf(accept ?? '*/*').map(({ type }) => type);
  const takes = (...types: string[]) => ranges.some((range) => types.includes(range));
  return takes('application/json', 'application/*') && !takes('text/plain', 'text/*', '*/*');
}

/** True for a browser: a client that names HTML, and does not want JSON more. */
export function prefersHtml(accept: string | undefined): boolean {
  const ranges = rangesOf(accept ?? '*/*');
  const weightOf = (wanted: string) => ranges.find(({ type }) => type === wanted)?.weight ?? 0;
  const ofHtml = weightOf('text/html');
  return ofHtml > 0 && ofHtml >= weightOf('application/json');
}

/** Whether a Prefer header asks to be answered before the work is done (RFC 7240 4.1). */
export const prefersAsync = (prefer: string | string[] | undefined): boolean =>
  [prefer ?? []]
    .flat()
    .flatMap((header) => header.split(','))
    .some((preference) => /^\s*respond-async\s*(;|$)/i.test(preference));
