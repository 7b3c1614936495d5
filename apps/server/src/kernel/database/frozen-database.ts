import pg from 'pg'

type Watch = {
  /** How often connections are checked, ms. One that is at the same query twice running is asked about. */
  every?: number
  /** How long a database that is there may take to let somebody in, ms. */
  patience?: number
}

/** What the driver keeps of a connection, beyond its types. */
type Inside = { readyForQuery: boolean; _getActiveQuery: () => unknown; connection: { stream: { destroy: () => void } } }

const inside = (client: pg.ClientBase) => client as unknown as Inside

/**
 * Breaks the connections of a pool when the database, or the network to it, does not answer any more: who waits gets the error that it is away,
 * some 12 s after they asked, and what comes after that goes to new connections. A query may take as long as it likes while the database still
 * lets others in, so nothing here is a limit on work: where another has taken the place of one that vanished, TCP gives its connections up.
 * Ends with the pool.
 */
export function breakWhenFrozen(pool: pg.Pool, { every = 2000, patience = 8000 }: Watch = {}): void {
  const clients = new Set<pg.PoolClient>()
  /** At what each busy one was. Under load all are busy at every check, each with another query. */
  let before = new Map<pg.PoolClient, unknown>()
  let asking = false
  pool.on('connect', (client) => clients.add(client))
  pool.on('remove', (client) => clients.delete(client))
  const isBusy = (client: pg.PoolClient) => !inside(client).readyForQuery
  const check = async () => {
    if (pool.ended) return clearInterval(timer)
    if (asking) return
    const there = [...clients]
    const busy = new Map(there.filter(isBusy).map((client) => [client, inside(client)._getActiveQuery()] as const))
    const isLong = [...busy].some(([client, query]) => before.has(client) && before.get(client) === query)
    before = busy
    if (!isLong) return
    asking = true
    const isThere = await answers(pool.options.connectionString!, patience)
    asking = false
    if (isThere) return
    const goesOn = (client: pg.PoolClient) => busy.has(client) && isBusy(client) && busy.get(client) !== inside(client)._getActiveQuery()
    for (const client of there) if (!goesOn(client)) inside(client).connection.stream.destroy()
  }
  const timer = setInterval(() => void check(), every)
  timer.unref()
}

/**
 * Breaks a connection whose database has not answered a query for `patience`, ms, or a quarter longer: for queries that the database itself ends
 * before. With the driver's own `query_timeout` what a query carried outlives it (docs/decisions/0023).
 */
export function breakWhenSilent(client: pg.Client, patience: number): void {
  let asked: { query: unknown; at: number } | undefined
  const check = () => {
    const query = inside(client)._getActiveQuery() // none between an error and the end of its query
    if (inside(client).readyForQuery) asked = undefined
    else if (!asked || asked.query !== query) asked = { query, at: performance.now() }
    else if (performance.now() - asked.at >= patience) inside(client).connection.stream.destroy()
  }
  const timer = setInterval(check, patience / 4)
  timer.unref()
  client.once('end', () => clearInterval(timer))
}

/** Whether the database lets somebody in within `patience`, ms, or refuses to in its own words. */
export async function answers(url: string, patience: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: 'masthead watch', connectionTimeoutMillis: patience })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError
  } finally {
    void client.end().catch(() => {})
  }
}
