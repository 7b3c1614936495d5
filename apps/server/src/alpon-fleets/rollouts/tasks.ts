import { task, type Task } from '../../kernel/jobs/jobs.ts'
import { advanceRollout, wakeRollouts } from './advance-rollout.ts'

export const rolloutTasks: Task[] = [
  task('alpon_fleets.advance_rollout', advanceRollout),
  task('alpon_fleets.wake_rollouts', wakeRollouts, '* * * * *'),
]
