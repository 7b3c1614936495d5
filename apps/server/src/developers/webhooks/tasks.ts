import { effectOfAny } from '../../kernel/jobs/effects.ts'
import { task } from '../../kernel/jobs/jobs.ts'
import { forgetDeliveries, addDeliveries } from './add-deliveries.ts'
import { addUsageHours } from './usage-hours.ts'

export const webhookTasks = [
  // Where the account has a webhook for the event (the view `event_listener`).
  effectOfAny('developers.tell_webhooks', addDeliveries),
  task('webhooks.add_usage_hours', addUsageHours, '* * * * *'),
  task('webhooks.forget_deliveries', forgetDeliveries, '41 3 * * *'),
]
