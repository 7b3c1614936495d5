import { task, type Task } from '../kernel/jobs/jobs.ts'
import { notifyWhoIsInvited } from './invitations/notify-invited.ts'

const expiredKept = 30 * 86_400_000 // ms

/** An expired invitation can be sent again for a month; then nobody misses it. */
const forgetExpired = task(
  'teams.forget_expired',
  async ({ db, clock }) => {
    const before = new Date(clock.now().getTime() - expiredKept)
    await db.transaction().execute((tx) => tx.deleteFrom('invitation').where('expires_at', '<', before).execute())
  },
  '23 4 * * *'
)

export const teamTasks: Task[] = [forgetExpired, notifyWhoIsInvited]
