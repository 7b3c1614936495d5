import type { Effect } from '../kernel/effects.ts'
import type { Task } from '../kernel/jobs.ts'

export const meteringEffects: Effect[] = []
export const meteringTasks: Task[] = []
