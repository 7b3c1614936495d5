import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { encodeReply } from '@masthead/radius/authenticator'
import { codes, decode } from '@masthead/radius/packet'

const address = '127.0.0.2' // the load comes from 127.0.0.1
/** Enough that four at a time, each for 4.5 s, fail all the while a fault lasts. */
const cuts = 60

/**
 * A gateway that ignores Disconnect-Requests, and jobs that ask it for sessions of SIMs without service: each fails, and is tried again.
 * Once it `answers`, they succeed.
 */
export async function openIgnoredCuts(pool: pg.Pool) {
  const socket = createSocket('udp4')
  socket.bind(0, address)
  await once(socket, 'listening')
  let ignored = 0
  let answers = false
  const secret = Buffer.from('ignores')
  socket.on('message', (datagram, from) => {
    const request = decode(datagram)
    if (typeof request === 'string') return
    if (answers) socket.send(encodeReply(request, codes.disconnect_ack, {}, secret), from.port, from.address)
    else ignored++
  })
  await pool.query(
    `with gateway as (insert into gateway (id, name) values ('gtw_ignores', 'Ignores'))
      insert into gateway_address (id, gateway_id, address, secret, coa_port) values ('gad_ignores', 'gtw_ignores', $1, 'ignores', $2)`,
    [address, socket.address().port]
  )
  const id = (prefix: string) => `'${prefix}_' || lpad('cut' || n, 26, '0')`
  const from = `from generate_series(1, ${cuts}) n`
  await pool.query(`insert into account (id, team_name) values ('acc_cuts', 'Cuts')`)
  await pool.query(`insert into asset (account_id, id, type, serial, name, sim_id, sim_status)
    select 'acc_cuts', ${id('ast')}, 'plastic_sim', 'C' || n, 'Cut ' || n, ${id('sim')}, 'inactive' ${from}`)
  await pool.query(
    `insert into sim (account_id, id, asset_id, iccid, state) select 'acc_cuts', ${id('sim')}, ${id('ast')}, lpad(n::text, 19, '8'), 'inactive' ${from}`
  )
  await pool.query(`insert into data_session (account_id, id, sim_id, asset_id, gateway_id, nas, acct_session_id, started_at, updated_at, heard_at)
    select 'acc_cuts', ${id('ses')}, ${id('sim')}, ${id('ast')}, 'gtw_ignores', 'ignores', 'cut' || n, now(), now(), now() ${from}`)
  await pool.query(`insert into sim_counter (account_id, sim_id, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, seen_at)
    select 'acc_cuts', ${id('sim')}, current_date, 0, 0, 0, 0, now() ${from}`)
  return {
    ignored: () => ignored,
    /** Adds the jobs. */
    begin: () =>
      pool.query(`select graphile_worker.add_job('cut_session', json_build_object('account_id', 'acc_cuts', 'session_id', ${id('ses')}),
        job_key => 'cut_session:' || ${id('ses')}) ${from}`),
    /** From now on the gateway answers. How many sessions are not cut within `seconds`, however long their next try is off. */
    async countLeft(seconds: number): Promise<number> {
      answers = true
      for (const until = performance.now() + seconds * 1000; ;) {
        await pool.query(`update graphile_worker._private_jobs set run_at = now() where key like 'cut_session:%' and locked_at is null`)
        const { rows } = await pool.query<{ left: number }>(
          `select count(*) as left from data_session where gateway_id = 'gtw_ignores' and ended_at is null`
        )
        if (rows[0]!.left === 0 || performance.now() > until) return rows[0]!.left
        await pause(250)
      }
    },
    close: () => socket.close(),
  }
}
