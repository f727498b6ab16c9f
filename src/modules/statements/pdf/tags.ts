import type PdfKit from 'pdfkit';

/** Standard structure types (ISO 32000-1, 14.8.4). */
type Role = 'Document' | 'H1' | 'P' | 'Table' | 'THead' | 'TBody' | 'TR' | 'TH' | 'TD';

/** An element of a document's structure, open until it is ended, and kept in memory no longer. */
export interface Element {
  /** An element in it that holds others. */
  open(role: Role): Element;
  /** An element in it that holds what is written in the meantime. */
  add(role: Role, write: () => void): void;
  end(): void;
}

/** What a screen reader reads of a document, and in which order. */
export interface Tags {
  /** The element that holds all others. */
  document: Element;
  /** What is on the page for the eye: rules, bands, and what each page repeats. */
  artifact(write: () => void): void;
  /** Writes down which elements the page at hand has, and forgets them. Called when nothing more is written on it. */
  endPage(): void;
}

type Doc = typeof PdfKit.prototype;
/** Where pdfkit keeps the elements of every page until the document ends. */
interface Kept {
  page: { dictionary: { data: { StructParents?: number } } };
  getStructParentTree(): { get(key: number): unknown; add(key: number, value: unknown): void };
  ref(data: unknown): { data: unknown; end(): void };
}

/** Begins the structure of a document (ISO 32000-1, 14.7). Memory holds that of the page at hand. */
export function tagsOf(doc: Doc): Tags {
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
      const kept = doc as unknown as Kept;
      const key = kept.page.dictionary.data.StructParents;
      if (key === undefined) return;
      const elements = kept.ref(kept.getStructParentTree().get(key));
      elements.end();
      elements.data = {};
      kept.getStructParentTree().add(key, elements);
    },
  };
}
