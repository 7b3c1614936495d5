import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { within } from '../devices/until.ts'
import type { Asked, Said } from './devices-process.ts'

const doesWithin = 300_000 // ms: ten thousand come in one after the other

/** Devices with our agent for all assets of an account, in the database: their ids, which they sign in with. */
export async function putAgents(pool: pg.Pool, account_id: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into device (account_id, id, asset_id, kind, username_hash, password_hash, created_at)
      select account_id, 'dev_' || right(id, 26), id, 'agent', sha256(convert_to('dev_' || right(id, 26), 'UTF8')), sha256('bench'), now()
      from asset where account_id = $1 order by id returning id`,
    [account_id]
  )
  await pool.query('vacuum analyze')
  return rows.map(({ id }) => id)
}

/** Runs them in a process of their own. What it is asked for is answered once it is done, one after the other. */
export function runDevices() {
  const child = fork(fileURLToPath(new URL('devices-process.ts', import.meta.url)), { execArgv: ['--disable-warning=ExperimentalWarning'] })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The process of the devices ended')))
  ended.catch(() => {})
  return {
    async ask(asked: Asked): Promise<Said> {
      child.send(asked)
      const [said] = (await within(
        `What devices were asked for (${asked.do})`,
        doesWithin,
        Promise.race([once(child, 'message'), ended])
      )) as [Said]
      return said
    },
    stop: () => void child.kill('SIGKILL'),
  }
}

export const onlineOf = async (pool: pg.Pool, account_id: string): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int from device where account_id = $1 and online', [account_id])
  return rows[0]!.count
}
