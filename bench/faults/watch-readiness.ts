import { setTimeout as pause } from 'node:timers/promises'

const every = 500 // ms

/** Asks /readyz again and again: how often it was red, what it said, and the longest it took (ms); at the end, what it came to within 5 s. */
export function watchReadiness(url: string) {
  const words = new Set<string>()
  let [red, slowest_ms, stopped] = [0, 0, false]
  const ask = async () => {
    const begun = performance.now()
    const answer = await fetch(`${url}/readyz`)
    slowest_ms = Math.max(slowest_ms, Math.round(performance.now() - begun))
    const body = (await answer.json()) as { words?: string[] }
    for (const each of body.words ?? []) words.add(each)
    if (answer.status !== 200) red++
    return answer.status
  }
  const watching = (async () => {
    while (!stopped) {
      await ask().catch(() => words.add('no answer at all'))
      await pause(every)
    }
  })()
  return {
    stop: async () => {
      stopped = true
      await watching
      let afterwards = 0
      const during = red
      for (const until = performance.now() + 5000; afterwards !== 200 && performance.now() < until; await pause(100))
        afterwards = await ask().catch(() => 0)
      return { red: during, words: [...words], slowest_ms, afterwards }
    },
  }
}
