import { pause, unreadable } from './bank-file.ts';

/** An element with all that is in it. Names are without their prefix. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
  /** The line at which it ends. */
  line: number;
}

const DEPTH_MAX = 40;
/** In one that is wanted: a batch of ten thousand transactions has no more. */
const ELEMENTS_MAX = 300_000;
const CHUNK = 32 * 1024;

/**
 * Reads XML a piece at a time, and gives each element that `isWanted` when it ends. What is not in a wanted one is not kept.
 * A document type is refused, and with it every entity but the five of XML itself.
 *
 * @param take the element, and the names of those that it stands in, from the root on
 * @throws DomainError BANK_FILE_UNREADABLE
 */
export async function eachElement(
  xml: string,
  isWanted: (name: string) => boolean,
  take: (element: Element, within: readonly string[]) => Promise<void>,
): Promise<void> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: false, position: true });
  const within: string[] = [];
  const open: Element[] = [];
  let ended: [Element, string[]][] = [];
  let kept = 0;
  const refuse = (what: string): never => {
    throw unreadable(`line ${parser.line}`, what);
  };
  parser.on('error', (error) => refuse(`not XML: ${error.message.replace(/^\d+:\d+: /, '')}`));
  parser.on('doctype', () => refuse('a document type is not taken'));
  parser.on('opentag', ({ name, attributes }) => {
    const local = localOf(name);
    if (within.length >= DEPTH_MAX) refuse('elements are nested too deeply');
    const parent = open.at(-1);
    if (parent !== undefined || isWanted(local)) {
      kept = parent === undefined ? 1 : kept + 1;
      if (kept > ELEMENTS_MAX) refuse(`an element holds ${ELEMENTS_MAX} others at most`);
      const element = { name: local, attributes, children: [], text: '', line: parser.line };
      parent?.children.push(element);
      open.push(element);
    }
    within.push(local);
  });
  const addText = (text: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    within.pop();
    const element = open.pop();
    if (element === undefined) return;
    element.line = parser.line;
    if (open.length === 0) ended.push([element, [...within]]);
  });
  for (let at = 0; at < xml.length; at += CHUNK) {
    parser.write(xml.slice(at, at + CHUNK));
    for (const [element, around] of ended) await take(element, around);
    ended = [];
    await pause();
  }
  parser.close();
}

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The elements at a path below one. */
export function elementsAt(element: Element, path: string): Element[] {
  let found = [element];
  for (const name of path.split('/'))
    found = found.flatMap(({ children }) => children.filter((one) => one.name === name));
  return found;
}

/**
 * The text at the first of these paths where there is some.
 *
 * @throws DomainError BANK_FILE_UNREADABLE where several elements stand there that do not say the same
 */
export function textAt(element: Element, ...paths: string[]): string {
  for (const path of paths) {
    const text = onlyAt(element, path)?.text.trim() ?? '';
    if (text !== '') return text;
  }
  return '';
}

/** The element at a path below one. @throws DomainError BANK_FILE_UNREADABLE where several stand there that do not say the same */
export function onlyAt(element: Element, path: string): Element | undefined {
  const [first, ...others] = elementsAt(element, path);
  const said = (one: Element | undefined): string => JSON.stringify([one?.text.trim(), one?.attributes]);
  if (others.some((one) => said(one) !== said(first)))
    throw unreadable(`line ${element.line}, ${path}`, 'said more than once, and not alike');
  return first;
}
