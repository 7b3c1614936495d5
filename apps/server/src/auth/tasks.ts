import { sql } from 'kysely'
import { unusedSince } from './sessions/authenticate.ts'
import { task, type Task } from '../kernel/jobs/jobs.ts'

const day = 86_400_000
/** How long a repeated request finds what the first one answered. */
const replyKept = 2 * day

/** Forgets what no longer counts: sessions that ended by themselves, counted tries, answers of old requests. */
const forgetEnded = task(
  'auth.forget_ended',
  async ({ db, clock, config }) => {
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      await tx
        .deleteFrom('session')
        .where((eb) => eb.or([eb('expires_at', '<=', now), eb('seen_at', '<=', unusedSince({ config }, now))]))
        .execute()
      await tx.deleteFrom('one_time_secret').where('expires_at', '<=', now).execute()
      await tx.deleteFrom('attempt').where('window_ends_at', '<=', now).execute()
      await tx.deleteFrom('identity_attempt').where('expires_at', '<=', now).execute()
    })
    // In pieces, so that a busy installation's many keys do not make one long transaction.
    for (let deleted = 1; deleted > 0;) {
      const some = sql`delete from idempotency_key where ctid = any (array(
        select ctid from idempotency_key where created_at < ${new Date(now.getTime() - replyKept)} limit 5000))`
      const { numAffectedRows = 0n } = await db.transaction().execute((tx) => some.execute(tx))
      deleted = Number(numAffectedRows)
    }
  },
  '17 * * * *'
)

export const authTasks: Task[] = [forgetEnded]
