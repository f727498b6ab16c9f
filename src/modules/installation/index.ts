export { assertServerRole } from './server-role.ts';
export { assertInstallation, InstallationMismatch, stampInstallation } from './stamp-installation.ts';
