// What other areas may use of rollouts.
export { decryptVersion, encryptVersion } from './version-queries.ts'
export { rolloutTasks } from './tasks.ts'
