import type { LogLine } from '@masthead/contract/devices/agent/messages'

const longest = 1000

/** The frames of an engine's log: eight bytes of head, the second to last four of them the length. A container with a terminal has no frames. */
export function readLog(bytes: Buffer): LogLine[] {
  const texts = { stdout: '', stderr: '' }
  const lines: LogLine[] = []
  const take = (stream: LogLine['stream'], text: string) => {
    const all = (texts[stream] + text).split('\n')
    texts[stream] = all.pop()!
    for (const line of all) lines.push(lineOf(stream, line))
  }
  let at = 0
  while (at < bytes.length) {
    const kind = bytes[at]!
    const isFrame = at + 8 <= bytes.length && kind <= 2 && bytes[at + 1] === 0 && bytes[at + 2] === 0 && bytes[at + 3] === 0
    if (!isFrame) {
      take('stdout', bytes.subarray(at).toString())
      break
    }
    const end = at + 8 + bytes.readUInt32BE(at + 4)
    take(kind === 2 ? 'stderr' : 'stdout', bytes.subarray(at + 8, end).toString())
    at = end
  }
  for (const stream of ['stdout', 'stderr'] as const) if (texts[stream] !== '') lines.push(lineOf(stream, texts[stream]))
  return lines
}

/** With a time of the engine's before the text: nanoseconds, or whole seconds with any time zone. */
function lineOf(stream: LogLine['stream'], line: string): LogLine {
  const [, time, text] = /^(\d{4}-\d\d-\d\dT\S+) (.*)$/s.exec(line) ?? []
  const at = time ? new Date(time.replace(/(\.\d{3})\d+/, '$1')) : undefined
  if (!at || Number.isNaN(at.getTime())) return { at: null, stream, text: clean(line) }
  return { at: at.toISOString(), stream, text: clean(text!) }
}

const clean = (text: string) => text.replace(/\r$/, '').slice(0, longest)

const longestFrame = 1_000_000
const longestRest = 10_000

/** The same of a log that goes on: each piece gives the lines that it completes. */
export function logReader(): (piece: Buffer) => LogLine[] {
  const texts = { stdout: '', stderr: '' }
  let rest: Buffer = Buffer.alloc(0)
  return (piece) => {
    const lines: LogLine[] = []
    const take = (stream: LogLine['stream'], text: string) => {
      const all = (texts[stream] + text).split('\n')
      texts[stream] = all.pop()!.slice(0, longestRest)
      for (const each of all) lines.push(lineOf(stream, each))
    }
    rest = Buffer.concat([rest, piece])
    while (rest.length >= 8) {
      const kind = rest[0]!
      const length = rest.readUInt32BE(4)
      const isFrame = kind <= 2 && rest[1] === 0 && rest[2] === 0 && rest[3] === 0 && length <= longestFrame
      if (isFrame && rest.length < 8 + length) break
      const end = isFrame ? 8 + length : rest.length
      take(kind === 2 && isFrame ? 'stderr' : 'stdout', rest.subarray(isFrame ? 8 : 0, end).toString())
      rest = rest.subarray(end)
    }
    return lines
  }
}
