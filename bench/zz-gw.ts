import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { processesBelow } from '@masthead/testkit/process-figures'
import { openListedMeter } from './lists/open-listed-meter.ts'
const all = await openListedMeter(1_000_000, { meterInFlight: 512, clients: 32 })
const { list, fleet, meter, settle } = all
const secs = Number(process.env.S ?? 15)
const N = process.env.NICE ?? '10'
try {
  await list.run({ seconds: 5, rate: 200 })
  for (let i = 0; i < Number(process.env.R ?? 2); i++)
    for (const mode of (process.env.MODES ?? 'off,db,dbroll').split(',')) {
      await settle()
      await pause(1500)
      const rest = await list.run({ seconds: secs, rate: 200 })
      const over = new AbortController()
      const counting = meter.run({ seconds: 3600, rate: 5000, signal: over.signal })
      let stop = false
      if (process.env.MH_DETACH && mode !== 'off')
        for (const p of processesBelow(all.product.pid)) if (/metering/.test(p.runs)) writeFileSync(`/proc/${p.pid}/autogroup`, N)
      const set = new Set<number>()
      const lower = async () => {
        while (!stop) {
          if (mode !== 'off') {
            const { rows } = await fleet.pool.query(
              `select pid, application_name, query from pg_stat_activity where backend_type = 'autovacuum worker' or application_name = 'masthead meter' ${mode === 'dbroll' ? `or application_name = 'masthead roll-up'` : ''}`
            )
            for (const { pid } of rows)
              if (!set.has(pid))
                try {
                  writeFileSync(`/proc/${pid}/autogroup`, N)
                  set.add(pid)
                } catch (e) {
                  console.log(String(e))
                }
          }
          await pause(50)
        }
        for (const pid of set)
          try {
            writeFileSync(`/proc/${pid}/autogroup`, '0')
          } catch {}
      }
      const l = lower()
      await pause(5000)
      const busy = await list.run({ seconds: secs, rate: 200 })
      if (process.env.MH_DETACH && mode !== 'off')
        for (const p of processesBelow(all.product.pid)) if (/metering/.test(p.runs)) writeFileSync(`/proc/${p.pid}/autogroup`, '0')
      over.abort()
      const m = await counting
      stop = true
      await l
      console.log(
        mode,
        'rest',
        rest.p50,
        rest.p99,
        'busy',
        busy.p50,
        busy.p99,
        busy.max,
        (busy.p99 / rest.p99).toFixed(1),
        'meter',
        m.rate,
        m.latency.p50,
        m.latency.p99,
        set.size
      )
    }
} finally {
  await all.stop()
}
