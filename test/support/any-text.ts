import fc from 'fast-check';

const LAST = 0x10_ff_ff;
const SURROGATES = { from: 0xd8_00, to: 0xdf_ff };

const codePoint = fc
  .oneof(fc.nat(SURROGATES.from - 1), fc.integer({ min: SURROGATES.to + 1, max: LAST }))
  .map((code) => String.fromCodePoint(code));

/** Any text. fast-check's own unit `binary` lists the million characters that there are first, which takes seconds. */
export const anyText = ({ maxLength }: { maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ unit: codePoint, ...(maxLength !== undefined && { maxLength }) });
