import type pg from 'pg'

type Query = (asked: unknown, values?: unknown, done?: unknown) => unknown

/**
 * Has a client's answers promised by us, from its callbacks. A promise that pg makes itself, once it has lived for long, keeps the next one alive,
 * and that one the next, with all their rows, until V8 looks through all memory; and lists and packets wait while it does. `failure` is what an error
 * of the database is rejected as.
 */
export function answerByCallback(client: pg.ClientBase, failure = (error: Error): Error => error): void {
  const query = client.query.bind(client) as Query
  const answer: Query = (asked, values, done) => {
    const takesItself = typeof done === 'function' || typeof values === 'function' || typeof (asked as pg.Submittable).submit === 'function'
    if (takesItself) return query(asked, values, done)
    return new Promise((resolve, reject) =>
      query(asked, values, (error: Error | null, result: pg.QueryResult) => (error ? reject(failure(error)) : resolve(result)))
    )
  }
  client.query = answer as typeof client.query
}
