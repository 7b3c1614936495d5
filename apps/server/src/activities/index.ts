// What other areas may use of activities.
export { latestActivities } from './list-activities.ts'
