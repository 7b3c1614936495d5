import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** When the database takes new connections (those of a dead server may go on for a while). */
export async function whenAnswering(url: string): Promise<number> {
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    const answered = await client.connect().then(
      () => true,
      () => false
    )
    await client.end().catch(() => {})
    if (answered) return performance.now()
    await pause(5)
  }
}
