import type { Call } from '../devices/client.ts'
import { within } from '../devices/until.ts'
import { openWindow } from '../devices/window.ts'
import { stepWithin } from './measure.ts'

export type Place = { url: string; cookie: string; call: Call; asset: string }

/** A terminal on the device of an asset, with a window on it; the shell is there when this resolves. */
export async function openSession({ url, cookie, call, asset }: Place) {
  const { id } = await call<{ id: string }>('POST', `assets/${asset}/terminal`, { cols: 80, rows: 24 })
  const window = openWindow({ url, cookie, session: id })
  await within('ours: the shell', stepWithin, window.shell)
  const look = () => call<{ state: string; bytes_out: number }>('GET', `terminal-sessions/${id}`)
  return { id, window, look, end: () => call('POST', `terminal-sessions/${id}/end`) }
}
