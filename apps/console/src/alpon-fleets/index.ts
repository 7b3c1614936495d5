// What other areas may use of fleets.
export { FleetOfTicked } from './FleetOfTicked.tsx'
export { windowWords } from './window-words.ts'
export { WindowFields } from './WindowFields.tsx'
