import type { Pool } from 'pg'

type Query = (first: string | { text: string }, ...rest: unknown[]) => unknown

/** What clients of a pool send, without values: `during` answers with what is sent while something is done. Before the pool is used. */
export function hearStatements(pool: Pool) {
  let sent: string[] = []
  const heard = new Set<unknown>()
  pool.on('acquire', (client) => {
    if (heard.has(client)) return
    heard.add(client)
    const query = client.query.bind(client) as Query
    const hearing: Query = (first, ...rest) => {
      sent.push(typeof first === 'string' ? first : first.text)
      return query(first, ...rest)
    }
    client.query = hearing as typeof client.query
  })
  return {
    during: async <Answer>(work: () => Promise<Answer>): Promise<{ answer: Answer; statements: string[] }> => {
      sent = []
      const answer = await work()
      return { answer, statements: sent }
    },
  }
}
