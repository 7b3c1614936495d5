import { backofficeEffects, backofficeTasks } from './backoffice/tasks.ts'
import { accountTasks } from './account/tasks.ts'
import { assetEffects, assetTasks } from './assets/effects.ts'
import { developerEffects, developerTasks } from './developers/tasks.ts'
import { effectsTask } from './kernel/effects.ts'
import { teamTasks } from './teams/tasks.ts'
import { notificationEffects } from './notifications/effects.ts'
import { notificationTasks } from './notifications/tasks.ts'
import type { Task } from './kernel/jobs.ts'
import { mailTasks } from './kernel/mail.ts'
import { meteringEffects, meteringTasks } from './metering/tasks.ts'
import { authTasks } from './auth/tasks.ts'

/** Every job the worker does. */
export const tasks: readonly Task[] = [
  effectsTask([...developerEffects, ...assetEffects, ...meteringEffects, ...backofficeEffects, ...notificationEffects]),
  ...assetTasks,
  ...meteringTasks,
  ...backofficeTasks,
  ...authTasks,
  ...accountTasks,
  ...developerTasks,
  ...mailTasks,
  ...teamTasks,
  ...notificationTasks,
]
