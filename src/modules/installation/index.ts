export { InstallationMismatch, stampInstallation } from './stamp-installation.ts';
