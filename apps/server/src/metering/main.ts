import { systemClock } from '../kernel/app.ts'
import { loadConfig } from '../kernel/config.ts'
import { giveMemoryBackWhenIdle } from '../kernel/idle-memory.ts'
import { openLog } from '../kernel/log.ts'
import { holdSecretKeys } from '../kernel/secrets/secret-keys.ts'
import { hearUnhandled } from '../kernel/unhandled.ts'
import { startMeter } from './start-meter.ts'

const mostWait = 500 // ms for the first packet that waits
const mostDelay = 250 // ms for this process to go on
const lookEvery = 100 // ms

/**
 * The meter's own process: it says `{ ready }` when it hears and `{ pressed }` while packets wait long, answers `{ ask: 'metrics' }`, and
 * ends on SIGTERM or with its parent.
 */
async function main() {
  const config = loadConfig()
  holdSecretKeys(config)
  const log = openLog(config.logLevel).child({ part: 'meter' })
  hearUnhandled(log, { goesOn: false })
  const end = new Promise<void>((resolve) => {
    process.on('SIGTERM', () => resolve())
    process.on('disconnect', () => resolve())
  })
  const meter = await startMeter({ config, databaseUrl: config.databaseUrl!, log, clock: systemClock, name: String(process.pid) })
  process.on('message', (message: { ask?: string }) => {
    if (message.ask === 'metrics') process.send?.({ metrics: meter.figures.text() })
  })
  let looked = performance.now()
  setInterval(() => {
    const delay = performance.now() - looked - lookEvery
    looked += delay + lookEvery
    const isPressed = delay > mostDelay || meter.ingest.waitsFor() > mostWait
    if (isPressed && process.connected) process.send?.({ pressed: true })
  }, lookEvery).unref()
  giveMemoryBackWhenIdle()
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
