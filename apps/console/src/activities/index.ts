// What other areas may use of activities.
export { ActivitySentence, actorWords } from './ActivitySentence.tsx'
