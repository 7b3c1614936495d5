import type { LogPart } from '@masthead/contract/devices/agent/messages'
import type { LogLine } from '../../ui/StreamLog.tsx'

/** So many lines of a log that is followed are kept in the window. */
export const mostKept = 2000

/** The lines of before with those of the parts that are new: parts come again and again until others take their place. */
export function joinParts(before: readonly LogLine[], parts: readonly LogPart[]): LogLine[] {
  const known = new Set(before.map(({ id }) => id))
  const all = [...before]
  for (const { run, from, skipped, lines, ended, words } of parts) {
    const fresh = [
      ...(skipped > 0 ? [noteOf(`${run} ${from} skipped`, `${skipped} lines were written too fast to be sent`)] : []),
      ...lines.map(({ at, stream, text }, place): LogLine => ({
        id: `${run} ${from + place}`,
        time: at ? at.slice(11, 23) : '',
        level: stream === 'stderr' ? 'warn' : 'info',
        text,
      })),
      ...(ended && words ? [noteOf(`${run} ended`, words)] : []),
    ].filter(({ id }) => !known.has(id))
    const last = all.at(-1)
    if (fresh.length > 0 && last && !last.id.startsWith(`${run} `)) all.push(noteOf(`${run} begins`, 'It was followed anew from here on'))
    all.push(...fresh)
  }
  return all.slice(-mostKept)
}

const noteOf = (id: string, text: string): LogLine => ({ id, time: '', level: 'debug', text })
