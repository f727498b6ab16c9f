export { assertInstallation, InstallationMismatch, stampInstallation } from './stamp-installation.ts';
