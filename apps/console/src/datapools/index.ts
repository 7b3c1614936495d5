// What other screens say of data pools.
export { poolLook, poolSentence } from './pool-words.ts'
