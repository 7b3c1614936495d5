import { sql } from 'kysely'
import { unusedSince } from './sessions/authenticate.ts'
import { forgetRows } from '../kernel/jobs/forget-rows.ts'
import { task, type Task } from '../kernel/jobs/jobs.ts'

const day = 86_400_000
/** How long a repeated request finds what the first one answered. */
const replyKept = 2 * day

/** Forgets what no longer counts: sessions that ended by themselves, counted tries, answers of old requests. */
const forgetEnded = task(
  'auth.forget_ended',
  async (app) => {
    const now = app.clock.now()
    await forgetRows(app, 'session', sql`(expires_at <= ${now} or seen_at <= ${unusedSince(app, now)})`)
    await forgetRows(app, 'one_time_secret', sql`expires_at <= ${now}`)
    await forgetRows(app, 'attempt', sql`window_ends_at <= ${now}`)
    await forgetRows(app, 'identity_attempt', sql`expires_at <= ${now}`)
    await forgetRows(app, 'idempotency_key', sql`created_at < ${new Date(now.getTime() - replyKept)}`)
  },
  '17 * * * *'
)

export const authTasks: Task[] = [forgetEnded]
