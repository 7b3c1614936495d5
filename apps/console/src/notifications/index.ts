// What other areas may use of notifications.
export { useLeftToOthers } from './rules/use-left-to-others.ts'
