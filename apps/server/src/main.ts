import { ConfigError, loadConfig } from './kernel/config.ts'
import { endLeftBehind } from './embedded-postgres/embedded-postgres.ts'
import { openLog } from './kernel/log.ts'
import { hearUnhandled } from './kernel/unhandled.ts'
import { databaseDir, startProduct } from './product.ts'

/** `npm start`: everything of this machine's roles in one go, until SIGTERM or Ctrl-C. */
async function main() {
  const config = loadConfig()
  if (config.endLeftBehind) return config.databaseUrl === undefined ? endLeftBehind(databaseDir(config)) : undefined
  const log = openLog(config.logLevel)
  for (const words of config.unknownVariables) log.warn(words)
  hearUnhandled(log, { goesOn: true })
  const stopped = new AbortController()
  // npm hands Ctrl-C on a second time: stopping twice must be the same as once.
  const stop = () => stopped.abort()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  if (config.runByNpm) stopWithParent(stop, config.startedBy)
  const product = await startProduct({ config, log, signal: stopped.signal })
  if (!stopped.signal.aborted) {
    console.log(product.greeting)
    await new Promise((resolve) => stopped.signal.addEventListener('abort', resolve, { once: true }))
  }
  await product.stop()
}

/** npm that is killed outright cannot notify us: we, or what keeps us running, are somebody else's child then. */
function stopWithParent(stop: () => void, starter?: number) {
  const { ppid } = process
  setInterval(() => (process.ppid !== ppid || (starter !== undefined && !isThere(starter))) && stop(), 500).unref()
}

function isThere(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // somebody else's is there, too
  }
}

main().then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error instanceof ConfigError || error.name === 'StartError' ? `\n${error.message}\n` : error)
    process.exit(1)
  }
)
