import type { Task } from '../kernel/jobs/jobs.ts'
import { exportTasks } from './closing/account-export.ts'
import { eraseTask } from './closing/erase-account.ts'
import './closing/tables.ts'
import { mailPasswordLink } from './reset-password.ts'

export const accountTasks: Task[] = [mailPasswordLink, eraseTask, ...exportTasks]
