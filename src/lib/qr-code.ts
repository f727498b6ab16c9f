/** Sharp on a phone, and small as a message: about 2 KB. Medium correction reads with 15 % of the code hidden. */
const CODE = { type: 'png', errorCorrectionLevel: 'M', margin: 4, width: 512 } as const;

/** Pictures of a process that are kept, the newest ones: one takes tens of milliseconds of the event loop to draw. */
const KEPT_MAX = 1_000;
const kept = new Map<string, Promise<string>>();

/** A QR code that says `text`: a PNG, in base64. Drawn once, however many ask for it. */
export function qrCode(text: string): Promise<string> {
  const before = kept.get(text);
  if (before !== undefined) return before;
  const [oldest] = kept.size < KEPT_MAX ? [] : kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
  const drawing = draw(text);
  drawing.catch(() => kept.delete(text));
  kept.set(text, drawing);
  return drawing;
}

async function draw(text: string): Promise<string> {
  const { toBuffer } = await import('qrcode'); // loaded when first needed
  return (await toBuffer(text, CODE)).toString('base64');
}
