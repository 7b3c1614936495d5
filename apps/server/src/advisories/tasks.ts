import { task, type Task } from '../kernel/jobs/jobs.ts'
import { dropLoads } from './load-advisories.ts'

export const advisoryTasks: Task[] = [task('advisories.drop_loads', dropLoads, '25 3 * * *')]
