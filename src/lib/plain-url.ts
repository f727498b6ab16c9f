/**
 * The URL that a text is, if it is read as it is written: what is kept as typed and judged as parsed could be two different pages
 * (`https://shop.example\\@evil.example/`, `https:shop.example`, `https://127.1`). The `/` behind a host may be left out.
 */
export function plainUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null) return undefined;
  return url.href === text || url.href.replace(/^(https?:\/\/[^/?#]+)\/(?=[?#]|$)/, '$1') === text ? url : undefined;
}
