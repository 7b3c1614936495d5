import type { Logger } from 'pino'

/** What is to end by itself, and what to call it in the log. */
export type Ending = { name: string; end: () => Promise<unknown> }

/**
 * Ends things that do not need each other, all at once. What has not ended after `most`, ms, is not waited for: it cannot, as the database or
 * somebody else does not answer, and is cut off with the process. Never rejects.
 */
export async function endAll(endings: readonly Ending[], most: number, log: Logger): Promise<void> {
  const left = new Set(endings.map(({ name }) => name))
  const work = endings.map(async ({ name, end }) => {
    await end().catch((error: unknown) => log.error({ err: error, part: name }, 'stopping a part failed'))
    left.delete(name)
  })
  const { promise: tooLong, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, most)
  await Promise.race([Promise.all(work), tooLong])
  clearTimeout(timer)
  if (left.size > 0)
    log.warn(
      { parts: [...left] },
      'these parts did not end in time and are cut off; what they had not finished is done again after the next start'
    )
}

/** What work comes to; where the signal is aborted before, it is not waited for, and the signal's reason is thrown. */
export async function unlessAborted<Result>(signal: AbortSignal | undefined, work: Promise<Result>): Promise<Result> {
  if (!signal) return work
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason as Error)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort))
}
