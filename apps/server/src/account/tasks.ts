import type { Task } from '../kernel/jobs/jobs.ts'
import { mailPasswordLink } from './reset-password.ts'

export const accountTasks: Task[] = [mailPasswordLink]
