import { setTimeout as pause } from 'node:timers/promises'

/** Nothing is waited for longer than `ms`: what hangs says what it was. */
export function within<T>(what: string, ms: number, step: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms / 1000} s`)), ms)
  })
  return Promise.race([step, late]).finally(() => clearTimeout(timer))
}

/** Asks again and again until there is an answer. What fails is asked again; the last failure is thrown when the time is over. */
export async function until<T>(what: string, ms: number, ask: () => Promise<T | undefined | null | false>): Promise<T> {
  const end = performance.now() + ms
  let why = ''
  for (;;) {
    try {
      const answer = await ask()
      if (answer !== undefined && answer !== null && answer !== false) return answer
    } catch (error) {
      why = `: ${(error as Error).message}`
    }
    if (performance.now() > end) throw new Error(`${what} took longer than ${ms / 1000} s${why}`)
    await pause(100)
  }
}
