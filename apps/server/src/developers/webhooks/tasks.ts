import type { Effect } from '../../kernel/jobs/effects.ts'
import { task, type Task } from '../../kernel/jobs/jobs.ts'
import { forgetDeliveries, tellWebhooks } from './tell-webhooks.ts'

export const webhookEffects: Effect[] = [tellWebhooks]
export const webhookTasks: Task[] = [task('webhooks.forget_deliveries', forgetDeliveries, '41 3 * * *')]
