export { askForProof, assertProvenContact, forgetContact } from './contact-proof.ts';
export { openLink, takeLink } from './links.ts';
export { room } from './room.ts';
export { sendLetters } from './send-letters.ts';
export { type Addressee, type Handover, handoverOf, writeLetter } from './write-letter.ts';
