import { Socket } from 'node:net'
import { systemClock } from '../../kernel/app.ts'
import { loadConfig } from '../../kernel/config.ts'
import { openLog } from '../../kernel/log.ts'
import { hearUnhandled } from '../../kernel/unhandled.ts'
import type { Upgrade } from '../upgrade.ts'
import { startBroker } from './start-broker.ts'

/** The broker's own process: it says `{ ready }` when it listens, answers `{ ask: 'metrics' }` and `{ ask: 'why_idle' }`, and ends on SIGTERM or with its parent. */
async function main() {
  const config = loadConfig()
  const log = openLog(config.logLevel).child({ part: 'broker' })
  hearUnhandled(log, { goesOn: false })
  const end = new Promise<void>((resolve) => {
    process.on('SIGTERM', () => resolve())
    process.on('disconnect', () => resolve())
  })
  const broker = await startBroker({ config, databaseUrl: config.databaseUrl!, log, clock: systemClock }).catch((error: unknown) => {
    log.fatal({ err: error }, 'the broker could not start; it is started again')
    process.exit(1)
  })
  process.on('message', (message: { ask?: string } & Partial<Upgrade>, socket: unknown) => {
    if (message.upgrade && socket instanceof Socket) broker.upgrade({ upgrade: message.upgrade }, socket)

    if (message.ask === 'metrics') process.send?.({ metrics: broker.figures.text() })
    // It needs nothing that could be away for it alone: that it answers is all that is asked.
    if (message.ask === 'why_idle') process.send?.({ why_idle: '' })
  })
  process.send?.({ ready: true, ports: broker.ports })
  await end
  await broker.stop()
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error('The broker could not start:', error)
    process.exit(1)
  }
)
