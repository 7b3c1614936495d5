// What other areas may use of fleets.
export { AddToFleet } from './AddToFleet.tsx'
export { windowWords } from './window-words.ts'
export { WindowFields } from './WindowFields.tsx'
