/** A colour of sRGB as CSS writes it: `#rrggbb`. */
export type Colour = `#${string}`;

const channelsOf = (colour: Colour): [number, number, number] => {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

/** Relative luminance, by WCAG 2.2. */
function luminanceOf(colour: Colour): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, by WCAG 2.2: from 1 to 21. */
export function contrastOf(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** A colour with a share of another in it, from 0 to 1. */
export function mixed(colour: Colour, other: Colour, share: number): Colour {
  const others = channelsOf(other);
  const channels = channelsOf(colour).map((channel, at) => {
    const mixedChannel = Math.round(channel + ((others[at] ?? 0) - channel) * share);
    return mixedChannel.toString(16).padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

const STEPS = 20;

/** A colour, with as little white in it as gives it this contrast with a dark background. */
export function lightenedFor(colour: Colour, background: Colour, contrast: number): Colour {
  for (let step = 0; step < STEPS; step++) {
    const lighter = mixed(colour, '#ffffff', step / STEPS);
    if (contrastOf(lighter, background) >= contrast) return lighter;
  }
  return '#ffffff';
}
