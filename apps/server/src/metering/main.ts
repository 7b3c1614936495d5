import { systemClock } from '../kernel/app.ts'
import { loadConfig } from '../kernel/config.ts'
import { openLog } from '../kernel/log.ts'
import { hearUnhandled } from '../kernel/unhandled.ts'
import { startMeter } from './start-meter.ts'

/** The meter's own process: it says `{ ready }` when it listens, answers `{ ask: 'metrics' }` and `{ ask: 'why_no_commit' }`, and ends on SIGTERM or with its parent. */
async function main() {
  const config = loadConfig()
  const log = openLog(config.logLevel).child({ part: 'meter' })
  hearUnhandled(log, { goesOn: false })
  const end = new Promise<void>((resolve) => {
    process.on('SIGTERM', () => resolve())
    process.on('disconnect', () => resolve())
  })
  const meter = await startMeter({ config, databaseUrl: config.databaseUrl!, log, clock: systemClock, name: String(process.pid) }).catch(
    (error: unknown) => {
      log.fatal({ err: error }, 'the meter could not start; it is started again')
      process.exit(1)
    }
  )
  process.on('message', (message: { ask?: string }) => {
    if (message.ask === 'metrics') process.send?.({ metrics: meter.figures.text() })
    if (message.ask === 'why_no_commit') void meter.whyNoCommit().then((words) => process.send?.({ why_no_commit: words ?? '' }))
  })
  process.send?.({ ready: true, ports: meter.ports })
  await end
  await meter.stop()
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error('The meter could not start:', error)
    process.exit(1)
  }
)
