import { lazyPackage } from './lazy.ts';

/** JSON Web Keys and tokens: 46 modules, which a process needs with the first token or document that it signs or verifies. */
export const jose = lazyPackage<typeof import('jose')>('jose');
