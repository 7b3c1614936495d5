import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** Somebody who makes tags through the API, one every 100 ms, and remembers what was answered. */
export async function openCaller(url: string) {
  const email = 'caller@example.test'
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${url}/v1/${path}`, { method: 'POST', headers: { 'content-type': 'application/json', cookie }, body: JSON.stringify(body) })
  const registered = await post('auth/register', { email, password: `${crypto.randomUUID()}-Aa1`, team_name: 'Caller' })
  if (!registered.ok) throw new Error(`Nobody could register: ${await registered.text()}`)
  const cookie = registered.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const statuses: Record<string, number> = {}
  const promised: string[] = []
  const caller = {
    statuses,
    /** What a 503 said. */
    words: '',
    slowest_ms: 0,
    async call(): Promise<number> {
      const name = `Tag ${crypto.randomUUID()}`
      const begun = performance.now()
      const answer = await post('tags', { name, color: 'blue' }, cookie)
      caller.slowest_ms = Math.max(caller.slowest_ms, Math.round(performance.now() - begun))
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      if (answer.ok) promised.push(name)
      const body = (await answer.json()) as { detail?: string }
      if (answer.status === 503) caller.words = `${body.detail} (Retry-After: ${answer.headers.get('retry-after')})`
      return answer.status
    },
    async callUntil(end: number): Promise<void> {
      while (Date.now() < end) {
        await caller.call().catch(() => (statuses.none = (statuses.none ?? 0) + 1)) // the server is gone
        await pause(100)
      }
    },
    /** How many tags are gone that were answered for. */
    async countLost(pool: pg.Pool): Promise<number> {
      const { rows } = await pool.query<{ count: number }>(
        'select count(*) from unnest($1::text[]) as n(name) where not exists (select from tag where tag.name = n.name)',
        [promised]
      )
      return rows[0]!.count
    },
  }
  return caller
}
