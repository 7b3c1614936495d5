import type { App } from './app.ts'

/** Does a step about every `every` ms, and at once again while it says there is more, until stopped. A step that fails is tried again. */
export function repeat(app: App, what: string, step: () => Promise<boolean>, every = 1000): { stop: () => Promise<void> } {
  let stopped = false
  let wake = () => {}
  const work = (async () => {
    while (!stopped) {
      const more = await step().catch((error: unknown) => {
        app.log.warn({ err: error }, `${what} failed and will be tried again`)
        return false
      })
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
