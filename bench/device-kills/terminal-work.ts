import { setTimeout as pause } from 'node:timers/promises'
import { answersWithin, awayFor } from '@masthead/contract/terminal/session'
import { within } from '../devices/until.ts'
import { openWindow, type Window } from '../devices/window.ts'
import type { Scene } from './scene.ts'

/** What is looked at now and then is seen so much later. */
const margin = 15_000 // ms
/** A server that is asked to end a session does so within two seconds. */
const endsWithin = 2000 // ms

/** Opens terminals one after the other, types, and leaves them in each way that there is. */
export async function workInTerminals(scene: Scene, nth: number): Promise<void> {
  const { agents, random, counts } = scene
  while (scene.goes()) {
    const { asset } = agents[nth % agents.length]!
    // The device or the server is away, or sessions from before are still open: it is asked again.
    const session = await scene.call<{ id: string }>('POST', `assets/${asset}/terminal`, { cols: 80, rows: 24 }).catch(() => undefined)
    if (!session) {
      await pause(500)
      continue
    }
    counts.sessions++
    const window = openWindow({ url: scene.url, cookie: scene.cookie, session: session.id, client: `w${nth}` })
    try {
      await within('A shell, or the reason why there is none,', answersWithin + margin, Promise.race([window.shell, window.closed]))
      if (window.isClosed()) continue
      counts.shells++
      await type(scene, window)
      await leave(scene, window, session.id)
    } catch (error) {
      // One that closes before its shell is there did not hang.
      if (!window.isClosed()) scene.hung.push((error as Error).message)
    } finally {
      window.close()
    }
    await pause(random.between(0, 300))
  }
}

/** Keys for a while, each of which is shown, or the window closes. */
async function type({ random, marker, counts }: Scene, window: Window) {
  window.type(`sleep ${marker}\r`)
  const until = performance.now() + random.between(500, 8000)
  while (performance.now() < until && !window.isClosed()) {
    const echoed = new Promise<boolean>((resolve) => window.onBytes(() => resolve(true)))
    window.type('x')
    const isShown = await within('The echo of a key', awayFor + margin, Promise.race([echoed, window.closed.then(() => false)]))
    if (isShown) counts.echoes++
    await pause(100)
  }
}

async function leave({ call, random, hung }: Scene, window: Window, id: string) {
  const how = random.whole(0, 2)
  // The window is closed, and nobody comes back.
  if (how === 0) return
  if (how === 1) {
    const isAsked = await call('POST', `terminal-sessions/${id}/end`).then(
      () => true,
      () => false
    )
    if (!isAsked) return
    await within('The end of a session that was asked for', endsWithin + margin, window.closed).catch((error: Error) =>
      hung.push(error.message)
    )
    return
  }
  window.type('\u0003')
  await pause(200)
  window.type('exit\r')
  // Where the device is away meanwhile, it is waited for so long.
  await within('The end of a shell', awayFor + margin, window.closed).catch((error: Error) => hung.push(error.message))
}
