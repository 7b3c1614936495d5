import pg from 'pg'

/** Runs one statement on the database at `url`, on a connection of its own. */
export async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

export type DatabaseSwitch = {
  /** Cuts every connection to it and lets nobody in, until it is `back`. */
  away: () => Promise<void>
  back: () => Promise<void>
  /** It lets everybody in and takes no writes, as a standby does, until it is `writable`. Whoever is there comes again. */
  readOnly: () => Promise<void>
  writable: () => Promise<void>
  /** Cuts every connection to it once. */
  cut: () => Promise<void>
}

/** Takes the database at `url` away while its server goes on. Its name is a plain word. */
export function databaseSwitch(url: string): DatabaseSwitch {
  const beside = new URL(url)
  const name = beside.pathname.slice(1)
  beside.pathname = '/postgres'
  const run = (statement: string) => runOn(beside.toString(), statement)
  const cut = () => run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  const readOnlyIs = async (value: 'on' | 'off') => {
    await run(`alter database ${name} set default_transaction_read_only = ${value}`)
    await cut()
  }
  return {
    away: async () => {
      await run(`alter database ${name} allow_connections false`)
      await cut()
    },
    back: () => run(`alter database ${name} allow_connections true`),
    readOnly: () => readOnlyIs('on'),
    writable: () => readOnlyIs('off'),
    cut,
  }
}
