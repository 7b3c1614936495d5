import type { Task } from '../kernel/jobs.ts'

export const authTasks: Task[] = []
