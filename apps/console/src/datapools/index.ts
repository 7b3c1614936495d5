import { lazy } from 'react'

// What other screens say of data pools.
export { poolLook, poolSentence } from './pool-words.ts'
/** Comes when it is shown: the overview, which says how pools are, has no table. */
export const PackageOffers = lazy(() => import('./PackageOffers.tsx').then((module) => ({ default: module.PackageOffers })))
