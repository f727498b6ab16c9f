import type PdfKit from 'pdfkit';

/** Standard structure types (ISO 32000-1, 14.8.4). */
type Role = 'Document' | 'H1' | 'P' | 'Table' | 'THead' | 'TBody' | 'TR' | 'TH' | 'TD';

/** An element of a document's structure. It stays in memory until it is ended. */
export interface Element {
  /** Begins an element inside this one. */
  open(role: Role): Element;
  /** Adds an element inside this one, with what `write` writes. */
  add(role: Role, write: () => void): void;
  end(): void;
}

/** What a screen reader reads of a document, and in which order: the tags of a tagged PDF. */
export interface Structure {
  /** The root element. */
  document: Element;
  /** Writes what a screen reader passes over: rules, bands, and what each page repeats. */
  artifact(write: () => void): void;
  /** Writes out and forgets the elements of the current page. Called when nothing more is written on it. */
  endPage(): void;
}

type Doc = typeof PdfKit.prototype;
/** The parts of pdfkit in which it keeps the elements of every page until the document ends; its types leave them out. */
interface Internals {
  page: { dictionary: { data: { StructParents?: number } } };
  getStructParentTree(): { get(key: number): unknown; add(key: number, value: unknown): void };
  ref(data: unknown): { data: unknown; end(): void };
}

/** Begins the structure of a document (ISO 32000-1, 14.7). Only the elements of the current page are held in memory. */
export function structureOf(doc: Doc): Structure {
  const root = doc.struct('Document');
  doc.addStructure(root);
  const elementOf = (element: ReturnType<Doc['struct']>): Element => ({
    open(role) {
      const child = doc.struct(role);
      element.add(child);
      return elementOf(child);
    },
    add(role, write) {
      element.add(doc.struct(role, role === 'TH' ? { scope: 'Column' } : {}, write));
    },
    end: () => element.end(),
  });
  return {
    document: elementOf(root),
    artifact(write) {
      doc.markContent('Artifact');
      write();
      doc.endMarkedContent();
    },
    endPage() {
      const internals = doc as unknown as Internals;
      const key = internals.page.dictionary.data.StructParents;
      if (key === undefined) return;
      const elements = internals.ref(internals.getStructParentTree().get(key));
      elements.end();
      elements.data = {};
      internals.getStructParentTree().add(key, elements);
    },
  };
}
