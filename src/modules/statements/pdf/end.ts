import { supportText } from '#lib/brand.ts';
import { momentText } from '../format.ts';
import type { Statement } from '../statement.ts';
import { MUTED, PAGE, type Pen, WIDTH } from './pen.ts';

const QR = 78;
const GAP = 12;

/** Writes what stands after the last line: how the paper is verified, what the figures mean, and who gives it out. */
export function writeEnd(pen: Pen, top: number, statement: Statement): void {
  const { brand, issuedAt, code, verifyAt, verifyUrl } = statement;
  const { document } = pen.structure;
  const y = top + GAP;
  pen.structure.artifact(() => pen.qr(verifyUrl, { x: PAGE.margin - 4, y, size: QR }));
  const box = { x: PAGE.margin + QR + 4, width: WIDTH - QR - 4 };
  const help = supportText(brand);
  const notes = [
    'Times are West Africa Time (UTC+1). Debits and credits have their fees in them.',
    `Made electronically from the books of ${brand.name} on ${momentText(issuedAt)}; it needs no signature.`,
    [brand.name, brand.address, brand.licence].filter((part) => part !== undefined).join(' · '),
    ...(help === undefined ? [] : [`Questions about this statement: ${help}`]),
  ];
  document.add('P', () => {
    pen.text('Is this statement ours? ', { ...box, y: y + 6 }, { font: 'bold', size: 8 });
    const how = `Scan the code, or enter ${code} at ${verifyAt} `;
    pen.fittedText(how, { ...box, y: y + 17 }, { size: 7.5 });
    pen.text('What is shown there must be what stands here. ', { ...box, y: y + 27 }, { size: 7.5 });
  });
  notes.forEach((note, at) => {
    document.add('P', () => pen.text(note, { ...box, y: y + 42 + at * 10 }, { size: 7, color: MUTED }));
  });
}
