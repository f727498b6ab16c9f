export { askForProof, assertProvenContact, forgetContact } from './contact-proof.ts';
export { invariants } from './invariants.ts';
export { openLink, takeLink } from './links.ts';
export { retention } from './retention.ts';
export { sendLetters } from './send-letters.ts';
export { type Addressee, type Handover, handoverOf, routingFacts, sealedColumns, writeLetter } from './write-letter.ts';
