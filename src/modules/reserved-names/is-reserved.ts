import { brand, reservedHandles } from './reserved.ts';
import { skeleton } from './skeleton.ts';

const reservedSkeletons = new Set(reservedHandles.map(skeleton));
const brandSkeleton = skeleton(brand);

/** True for the words nobody may have, alone or beside our own name (`paytag.support`), and for what passes for one. */
export const isReserved = (handle: string): boolean => reservedSkeletons.has(skeleton(handle)) || isOurs(handle);

/** True for our own name, alone or directly beside a word that nobody may have, and for what passes for that. */
function isOurs(handle: string): boolean {
  const look = skeleton(handle);
  if (look === brandSkeleton) return true;
  const beside = look.startsWith(brandSkeleton)
    ? look.slice(brandSkeleton.length)
    : look.endsWith(brandSkeleton) && look.slice(0, -brandSkeleton.length);
  return beside !== false && reservedSkeletons.has(beside);
}
