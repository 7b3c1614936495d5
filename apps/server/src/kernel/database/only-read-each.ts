import type pg from 'pg'

type Query = (asked: unknown, ...rest: unknown[]) => Promise<unknown>

const begins = /^\s*(begin|start transaction)\b/i
const ends = /^\s*(commit|rollback)\b/i

/**
 * Has the database refuse every write on a client whose session is not ours to set: each statement outside a transaction runs in a read-only one of
 * its own. A transaction says itself that it only reads. For a client that answers promises.
 */
export function onlyReadEach(client: pg.ClientBase): void {
  const query = client.query.bind(client) as unknown as Query
  let inside = false
  const alone = async (asked: unknown, rest: unknown[]) => {
    await query('begin read only')
    try {
      return await query(asked, ...rest)
    } finally {
      await query('commit') // undoes what failed
    }
  }
  client.query = ((asked: unknown, ...rest: unknown[]) => {
    if (typeof asked === 'string' && begins.test(asked)) inside = true
    else if (typeof asked === 'string' && ends.test(asked)) inside = false
    else if (!inside) return alone(asked, rest)
    return query(asked, ...rest)
  }) as unknown as typeof client.query
}
