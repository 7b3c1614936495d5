// What the system starts: it chooses the version of the agent and runs it in this process. It stays as it was installed; versions come and go.
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { endTrial, nextStart, programOf, readStanding } from './standing.ts'

const home = dirname(fileURLToPath(import.meta.url))
/** How long a new version has to show that it comes up, s. Where a connection takes longer, the unit may say more. */
const trialSeconds = 120
const trialOption = '--trial-seconds'

type Watched = { version: string; seconds: number }

/** A thread of its own: it ends a version that hangs, too. */
function watch({ version, seconds }: Watched): void {
  setTimeout(() => {
    if (endTrial(home, version, new Date())) process.kill(process.pid, 'SIGKILL')
  }, seconds * 1000)
}

async function start(): Promise<void> {
  const runs = process.argv.slice(2).includes('run')
  const standing = runs ? nextStart(home, new Date()) : readStanding(home)
  if (!standing) throw new Error(`There is no agent in ${home}: run the installation again`)
  if (runs && standing.left) console.log(standing.left.words)
  const at = process.argv.indexOf(trialOption)
  const seconds = (at > 0 && Number(process.argv.splice(at, 2)[1])) || trialSeconds
  process.argv.push('--home', home)
  if (runs && standing.trial) {
    const limits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 }
    new Worker(new URL(import.meta.url), {
      workerData: { version: standing.current, seconds } satisfies Watched,
      resourceLimits: limits,
    }).unref()
  }
  await import(pathToFileURL(programOf(home, standing.current)).href)
}

if (!isMainThread) watch(workerData as Watched)
else
  start().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  })
