import { writeSync } from 'node:fs'
import { pino, type Logger } from 'pino'
import type { Config } from './config.ts'

const toStandardError = (lines: string) => void writeSync(2, lines)

/**
 * Lines of JSON on standard error, each written before we go on, so that the last words of a process are there. A line that cannot be written,
 * because the disk is full or nobody reads, is dropped: it must not end the process that it is about. The next line that can be written says how many were.
 */
export function openLog(level: Config['logLevel'], write = toStandardError): Logger {
  let lost = 0
  const said = () => `${JSON.stringify({ level: 40, time: Date.now(), lost, msg: 'lines of the log could not be written' })}\n`
  return pino(
    { level, base: undefined },
    {
      write: (line: string) => {
        try {
          write(lost > 0 ? said() + line : line)
          lost = 0
        } catch {
          lost++
        }
      },
    }
  )
}
