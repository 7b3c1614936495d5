// What other areas may use of fleets.
export { windowWords } from './window-words.ts'
export { WindowFields } from './WindowFields.tsx'
