import { task, type Task } from '../../kernel/jobs/jobs.ts'
import { endTests } from './end-tests.ts'
import { reconcileService } from './reconcile.ts'

export const serviceTasks: Task[] = [task('reconcile_service', reconcileService), task('end_tests', endTests, '* * * * *')]
