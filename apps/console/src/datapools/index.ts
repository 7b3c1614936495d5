// What other screens say of data pools.
export { PackageOffers } from './PackageOffers.tsx'
export { poolLook, poolSentence } from './pool-words.ts'
