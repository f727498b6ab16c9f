/** In a request: becomes a text of the same length that no other request has, the same wherever it stands in it. */
export const UNIQUE = 'UNIQUE-IN-EACH-REQUEST-0';

const run = `${process.pid}-${Date.now().toString(36)}-`;
let made = 0;

export const nextUnique = (): string => run + (made++).toString(36).padStart(UNIQUE.length - run.length, '0');
