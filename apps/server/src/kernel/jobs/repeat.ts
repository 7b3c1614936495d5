import type { App } from '../app.ts'

/**
 * Does a step about every `every` ms, and at once again while it says there is more, until stopped. A step that fails is tried again; the log
 * has it once for each cause, and when it succeeds again.
 */
export function repeat(app: App, what: string, step: () => Promise<boolean>, every = 1000): { stop: () => Promise<void> } {
  let stopped = false
  let wake = () => {}
  let failing: string | undefined
  const attempt = async () => {
    try {
      const more = await step()
      if (failing !== undefined) app.log.info(`${what} goes on`)
      failing = undefined
      return more
    } catch (error) {
      const cause = String(error)
      if (cause !== failing) app.log.warn({ err: error }, `${what} failed and will be tried again`)
      failing = cause
      return false
    }
  }
  const work = (async () => {
    while (!stopped) {
      const more = await attempt()
      if (more || stopped) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, every)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  })()
  return {
    stop: async () => {
      stopped = true
      wake()
      await work
    },
  }
}
