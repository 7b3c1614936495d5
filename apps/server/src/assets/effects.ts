import type { Effect } from '../kernel/jobs/effects.ts'
import type { Task } from '../kernel/jobs/jobs.ts'

export const assetEffects: Effect[] = []
export const assetTasks: Task[] = []
