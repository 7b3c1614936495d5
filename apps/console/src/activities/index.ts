// What other areas may use of activities.
export { ActivitySentence } from './ActivitySentence.tsx'
