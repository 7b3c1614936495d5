import type pg from 'pg'

type Query = (asked: unknown, values?: unknown, done?: unknown) => unknown

/**
 * Has a client's answers promised by us, from its callbacks. The promises that pg makes hold each other: once one has lived for long, all that
 * follow stay, with their rows, until all of the memory is looked through. That was a tenth of what we allocate, and the looking through is
 * what lists and packets wait for the longest.
 */
export function answerByCallback(client: pg.ClientBase): void {
  const query = client.query.bind(client) as Query
  const answer: Query = (asked, values, done) => {
    const takesItself = typeof done === 'function' || typeof values === 'function' || typeof (asked as pg.Submittable).submit === 'function'
    if (takesItself) return query(asked, values, done)
    return new Promise((resolve, reject) =>
      query(asked, values, (error: Error | null, result: pg.QueryResult) => (error ? reject(error) : resolve(result)))
    )
  }
  client.query = answer as typeof client.query
}
