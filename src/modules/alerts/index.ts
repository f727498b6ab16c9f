export { tellOwners } from './tell-owners.ts';
