import { sql } from 'kysely'
import { keyUsed } from '@masthead/contract/signals'
import type { App } from '../kernel/app.ts'
import { publish } from '../kernel/live/publish.ts'
import { perApp } from '../kernel/per-app.ts'

const noteEvery = 60_000 // ms
/** When the last use of each key was written, in milliseconds since 1970. */
const notedOf = perApp(() => new Map<string, number>())

type Use = { account_id: string; id: string; last: Date | null; at: Date; ip: string }

/** Keeps when and from where a key was last used: at most once a minute, and nobody waits for it. Open consoles are notified. */
export function noteUse(app: App, { account_id, id, last, at, ip }: Use): void {
  const lately = notedOf(app)
  const latest = Math.max(lately.get(id) ?? 0, last?.getTime() ?? 0)
  if (at.getTime() - latest < noteEvery) return
  lately.set(id, at.getTime())
  const used = sql`update api_key set last_used_at = ${at}, last_used_ip = ${ip} where account_id = ${account_id} and id = ${id} returning id`
  app.db
    .transaction()
    .execute(async (tx) => {
      const { rows } = await used.execute(tx)
      if (rows.length > 0) await publish(tx, account_id, keyUsed)
    })
    .catch((error: unknown) => {
      lately.delete(id)
      app.log.warn({ err: error }, 'the last use of a key could not be kept')
    })
}
