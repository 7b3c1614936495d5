import { sql } from 'kysely'
import type { Db } from '../app.ts'
import { troubleOf } from './database-trouble.ts'

type Asked = { at: number; answeredAt: number; answer: Promise<string | null> }

/**
 * Says why the database takes no write right now, in words; null when it does. Whoever asks within `freshFor` of an answer, or while one is
 * under way, gets the same, so that it costs next to nothing however many ask; nobody waits longer than `patience` after it was begun (ms).
 */
export function openWriteProbe(db: Db, { freshFor = 1000, patience = 2000 } = {}): () => Promise<string | null> {
  let asked: Asked | undefined
  const ask = () => {
    const answer = sql`select prove_writable()`.execute(db).then(
      () => null,
      (error: unknown) => troubleOf(error)?.words ?? 'The database cannot be reached'
    )
    const made: Asked = { at: performance.now(), answeredAt: Infinity, answer }
    void answer.then(() => (made.answeredAt = performance.now()))
    return made
  }
  return async () => {
    const now = performance.now()
    if (!asked || now - asked.answeredAt >= freshFor) asked = ask()
    const { promise: late, resolve } = Promise.withResolvers<string>()
    const timer = setTimeout(() => resolve('The database does not answer'), Math.max(0, asked.at + patience - now))
    return Promise.race([asked.answer, late]).finally(() => clearTimeout(timer))
  }
}
