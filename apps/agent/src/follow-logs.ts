import {
  keptFollowed,
  mostFollowedBytes,
  mostFollowedLines,
  type LogLine,
  type LogPart,
  type LogParts,
} from '@masthead/contract/devices/agent/messages'
import { shownOf } from './containers/container-state.ts'
import type { Engine } from './engine/engine.ts'

/** So many lines of before come first. */
const tail = 50
/** So many logs are followed at a time, and so many lines of each wait to be sent. */
const mostAtOnce = 3
const mostWaiting = 400

type Given = { engine: Pick<Engine, 'list' | 'follow'>; now: () => Date; send: (parts: LogParts) => void; every?: number }
type Followed = { until: number; stop: AbortController }

/** Sends logs as they are written, a little at a time, for as long as somebody asks for them again. */
export function followLogs({ engine, now, send, every = 1000 }: Given) {
  const followed = new Map<string, Followed>()
  let [parts, runs] = [0, 0]

  async function follow(container: string, own: Followed): Promise<void> {
    const run = `${now().getTime()}-${++runs}`
    const waiting: LogLine[] = []
    let [from, skipped] = [0, 0]
    const sendPart = (said: Pick<LogPart, 'lines' | 'ended' | 'words'>) => {
      send({ [`p${parts++ % keptFollowed}`]: { container, run, from, skipped, ...said } })
      from += said.lines.length
      skipped = 0
    }
    const flush = () => {
      if (now().getTime() > own.until) return own.stop.abort()
      const lines = fitting(waiting)
      if (lines.length > 0) sendPart({ lines, ended: false, words: null })
    }
    const timer = setInterval(flush, every)
    let words: string | null = null
    try {
      const found = shownOf(await engine.list(), container)
      if (!found) throw new Error(`There is no container ${container}`)
      for await (const lines of engine.follow(found.Id, tail, own.stop.signal)) {
        waiting.push(...lines)
        const over = waiting.length - mostWaiting
        if (over > 0) {
          waiting.splice(0, over)
          skipped += over
          from += over
        }
      }
      words = 'The container has ended'
    } catch (error) {
      if (!own.stop.signal.aborted) words = (error as Error).message.slice(0, 500)
    }
    clearInterval(timer)
    if (followed.get(container) === own) followed.delete(container)
    if (words !== null) sendPart({ lines: fitting(waiting), ended: true, words })
  }

  return {
    /** Begins, or goes on for so long. */
    follow(container: string, seconds: number): void {
      const until = now().getTime() + seconds * 1000
      const before = followed.get(container)
      if (before) return void (before.until = until)
      if (followed.size >= mostAtOnce) return
      const own = { until, stop: new AbortController() }
      followed.set(container, own)
      void follow(container, own)
    },
    size: () => followed.size,
    stop(): void {
      for (const { stop } of followed.values()) stop.abort()
    },
  }
}

/** Takes the first lines that fit into one message. */
function fitting(waiting: LogLine[]): LogLine[] {
  let size = 0
  const end = waiting.slice(0, mostFollowedLines).findIndex(({ text }) => (size += Buffer.byteLength(text) + 80) > mostFollowedBytes)
  return waiting.splice(0, end === -1 ? mostFollowedLines : Math.max(1, end))
}
