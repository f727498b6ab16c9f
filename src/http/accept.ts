/** What an Accept header says of media types: true for a client that takes JSON and no text of another kind (RFC 9110 12.5.1). */
export function acceptsOnlyJson(accept: string | undefined): boolean {
  const ranges = (accept ?? '*/*')
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
    .map(([type]) => type);
  const takes = (...types: string[]) => ranges.some((range) => types.includes(range ?? ''));
  return takes('application/json', 'application/*') && !takes('text/plain', 'text/*', '*/*');
}
