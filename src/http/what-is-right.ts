import { z } from 'zod';

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  url: 'must be a URL',
  email: 'must be an e-mail address',
  date: 'must be a date, as 2026-11-23',
  datetime: 'must be a date and time in UTC, as 2026-11-23T08:30:00Z',
};

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' items' };

/** A bound as a sentence: of a text its characters, of a list its items, of a number itself. */
function bound(side: 'least' | 'most', value: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  if (unit !== undefined && side === 'least' && Number(value) === 1) return 'must not be empty';
  return unit === undefined ? `must be at ${side} ${value}` : `must have at ${side} ${value}${unit}`;
}

/** What a value would have to be, where its shape does not say so itself; nothing where zod's own words stay. */
const whatIsRight: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type': {
      const name = NAMES[issue.expected];
      if (name === undefined) return undefined;
      return issue.input === undefined ? `is missing: it must be ${name}` : `must be ${name}`;
    }
    case 'invalid_format':
      return FORMATS[issue.format];
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return bound('least', issue.minimum, issue.origin);
    case 'too_big':
      return bound('most', issue.maximum, issue.origin);
    default:
      return undefined;
  }
};

/** Has every shape say what would be right, instead of zod's "Invalid input: expected string, received undefined". */
export function sayWhatIsRight(): void {
  z.config({ customError: whatIsRight });
}
