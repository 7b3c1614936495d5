// All steps of an update in one process, for killed.test.ts: from the wish to the end of the trial.
import { version } from '../version.ts'
import { endTrial, nextStart, noteReported } from './standing.ts'
import { keepUpdates } from './updates.ts'

const [home, server, wanted] = process.argv.slice(2) as [string, string, string]
const now = () => new Date()
const wish = JSON.parse(wanted) as { id: string; version: string; sha256: string }
if (nextStart(home, now())!.current === version) {
  const updates = keepUpdates({ home, server, say: console.log, now, onChange: () => {}, restart: () => {} })
  await updates.want(wish)
  nextStart(home, now())
}
noteReported(home, wish.version)
endTrial(home, wish.version, now())
