import { setTimeout as pause } from 'node:timers/promises'
import type { ProgressError } from '@masthead/contract/devices/progress'
import { heartbeatEvery } from '@masthead/contract/kernel/live'

const lookEvery = 1000 // ms

type Event = { status: string; error?: ProgressError | undefined; message?: string | undefined }

/** Sends how something is, and each change of that, until it has succeeded or failed, or so many seconds are over. */
export async function* followProgress<Each extends Event>(
  look: () => Promise<{ event: Each; online: boolean }>,
  seconds: number
): AsyncGenerator<string> {
  const until = performance.now() + seconds * 1000
  let [last, saidAt] = ['', performance.now()]
  for (;;) {
    const { event, online } = await look()
    const text = textOf(event)
    if (text !== last) {
      yield text
      ;[last, saidAt] = [text, performance.now()]
    }
    if (event.status === 'Success' || event.status === 'Fail') return
    if (performance.now() >= until) {
      if (seconds > 0) yield textOf(late(event, online, seconds))
      return
    }
    if (performance.now() - saidAt >= heartbeatEvery) {
      yield ':\n\n'
      saidAt = performance.now()
    }
    await pause(Math.min(lookEvery, Math.max(0, until - performance.now())))
  }
}

const late = (event: Event, online: boolean, seconds: number): Event => ({
  ...event,
  status: 'Fail',
  error: online ? 'Unknown' : 'DeviceNotReachable',
  message: online ? `The device was not done after ${seconds} seconds, and goes on` : 'The device is offline. It goes on when it is back',
})

const textOf = (event: Event) => `data: ${JSON.stringify(event)}\n\n`
