import { task, type Task } from '../../kernel/jobs/jobs.ts'
import { reconcileService } from './reconcile.ts'

export const serviceTasks: Task[] = [task('reconcile_service', reconcileService)]
