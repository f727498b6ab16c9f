export { installedAt } from './installed-at.ts';
export { type ProcessFacts, readSettings } from './read-settings.ts';
export { room } from './room.ts';
export { assertServerRole } from './server-role.ts';
export {
  assertInstallation,
  foreignRootKey,
  InstallationMismatch,
  stampedRootKey,
  stampInstallation,
  stampRootKey,
} from './stamp-installation.ts';
