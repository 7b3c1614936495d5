import type { Effect } from '../kernel/effects.ts'
import type { Task } from '../kernel/jobs.ts'

export const assetEffects: Effect[] = []
export const assetTasks: Task[] = []
