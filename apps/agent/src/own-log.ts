import { mostLogLines, type LogLine } from '@masthead/contract/devices/agent/messages'

const longest = 1000 // characters

/** The last lines that the agent wrote, for who asks for them from afar. */
export function keepOwnLog(say: (words: string) => void, now: () => Date) {
  const lines: LogLine[] = []
  return {
    say(words: string): void {
      lines.push({ at: now().toISOString(), stream: 'stdout', text: words.slice(0, longest) })
      if (lines.length > mostLogLines) lines.shift()
      say(words)
    },
    last: (count: number): LogLine[] => lines.slice(-count),
  }
}
