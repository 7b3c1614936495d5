import { sql } from 'kysely'
import { forgetRows } from '../kernel/jobs/forget-rows.ts'
import { task, type Task } from '../kernel/jobs/jobs.ts'
import { notifyWhoIsInvited } from './invitations/notify-invited.ts'

const expiredKept = 30 * 86_400_000 // ms

/** An expired invitation can be sent again for a month; then nobody misses it. */
const forgetExpired = task(
  'teams.forget_expired',
  (app) => forgetRows(app, 'invitation', sql`expires_at < ${new Date(app.clock.now().getTime() - expiredKept)}`),
  '23 4 * * *'
)

export const teamTasks: Task[] = [forgetExpired, notifyWhoIsInvited]
