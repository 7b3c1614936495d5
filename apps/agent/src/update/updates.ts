import type { ReportedUpdate, WantedAgent } from '@masthead/contract/devices/agent/update'
import { version } from '../version.ts'
import { download } from './download.ts'
import { noteReported, readStanding, writeStanding, type Standing } from './standing.ts'

type Given = {
  /** Where versions are kept. Undefined: it was not started by what keeps them. */
  home: string | undefined
  server: string
  say: (words: string) => void
  now: () => Date
  onChange: () => void
  /** Ends the process; what started it starts it again. */
  restart: () => void
}

/** So much more of a download is there, and it is said. */
const percentStep = 10

/** The agent's own update, from what is wanted to the restart. Each step may be the last: what it left is found or thrown away by the next try. */
export function keepUpdates({ home, server, say, now, onChange, restart }: Given) {
  let latest: ReportedUpdate | null = null
  let busy = false

  function reportState(wanted: WantedAgent, state: ReportedUpdate['state'], words: string | null = null) {
    latest = { id: wanted.id, version: wanted.version, state, words: words?.slice(0, 500) ?? null, at: now().toISOString() }
    if (words) say(words)
    onChange()
  }

  /** This one was started in place of the version on trial, because nothing could be written: once something can, that one is. */
  function tryAgain(standing: Standing) {
    try {
      writeStanding(home!, standing)
    } catch {
      return
    }
    busy = true
    say(`The agent starts again with version ${standing.current}, which is on trial`)
    restart()
  }

  return {
    /** What is to be reported of the last update. */
    report(): ReportedUpdate | null {
      if (latest) return latest
      const standing = home === undefined ? null : readStanding(home)
      if (standing?.trial) {
        const { id, at } = standing.trial
        return { id, version: standing.current, state: 'on_trial', words: null, at }
      }
      return standing?.left ? { ...standing.left, state: 'gone_back' } : null
    },

    /** The server has stored a report. */
    reported(): void {
      try {
        if (home !== undefined) noteReported(home, version)
      } catch (error) {
        say(`That version ${version} has reported is not noted: ${(error as Error).message}`)
      }
    },

    async want(wanted: WantedAgent | null): Promise<void> {
      if (!wanted || wanted.version === version || busy) return
      if (home === undefined) {
        if (latest?.id !== wanted.id)
          reportState(wanted, 'failed', 'This agent cannot update itself: run the line of the installation again')
        return
      }
      const standing = readStanding(home)
      if (standing?.trial?.before === version) return tryAgain(standing)
      // One after the other: while a version is on trial, the one before must stay.
      if (!standing || standing.trial || standing.current !== version || standing.left?.id === wanted.id) return
      busy = true
      try {
        reportState(wanted, 'downloading')
        let said = 0
        await download(home, version, server, wanted, (percent) => {
          if (percent < said + percentStep) return
          said = percent
          latest = latest && { ...latest, percent }
          onChange()
        })
        const trial = { id: wanted.id, before: version, starts: 0, reported: false, at: now().toISOString() }
        writeStanding(home, { current: wanted.version, trial, left: null })
        say(`Version ${wanted.version} is there: the agent starts again with it`)
        restart()
      } catch (error) {
        reportState(wanted, 'failed', (error as Error).message)
        busy = false
      }
    },
  }
}
