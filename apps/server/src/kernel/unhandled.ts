import type { Logger } from 'pino'

/** The exit code of a process that a mistake of ours ended (EX_SOFTWARE of sysexits.h): who started it starts it again. */
const endedByMistake = 70

/**
 * Sees to it that nothing ends this process without a sentence in the log, and what goes on:
 *
 * - `goesOn`: a rejection that nobody handled concerns whoever waited for it, one call or one job of very many, so the process goes on.
 *   Without it the process ends: what it keeps in memory hangs together, and whatever it had not answered comes again.
 * - An exception that nobody caught ends it either way, as it may have left anything half done.
 * - A log that cannot be written (its disk is full, its reader is gone) ends nothing.
 */
export function hearUnhandled(log: Logger, { goesOn }: { goesOn: boolean }): void {
  const end = (error: unknown, words: string) => {
    log.fatal({ err: error }, words)
    process.exit(endedByMistake)
  }
  process.on('unhandledRejection', (error) => {
    if (goesOn) log.error({ err: error }, 'a failure that nobody handled; everything goes on')
    else end(error, 'a failure that nobody handled: this process ends and is started again')
  })
  process.on('uncaughtException', (error) => end(error, 'a mistake that nobody caught: this process ends and is started again'))
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
