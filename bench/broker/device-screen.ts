import type { getMeasurements } from '@masthead/contract/devices/status-operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import { within } from '../devices/until.ts'

const showsWithin = 60_000 // ms

/**
 * The screen of one device, as a browser has it open: it asks again when the live stream says that something changed, once at a time. A call that fails, and a
 * stream that ends, fail what is waited for.
 */
export async function openDeviceScreen({ url, cookie, asset }: { url: string; cookie: string; asset: string }) {
  const over = new AbortController()
  const get = async (path: string) => {
    const answer = await fetch(`${url}/v1/${path}`, { headers: { cookie }, signal: over.signal })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    return answer
  }
  const { body } = await get('live')
  let [asking, again, waitsFor] = [false, false, '']
  let resolve = () => {}
  const failing = Promise.withResolvers<never>()
  failing.promise.catch(() => {})
  async function ask(): Promise<void> {
    if (asking) return void (again = true)
    asking = true
    do {
      again = false
      const answer = await get(`assets/${asset}/alpon/device`)
      const { vitals } = (await answer.json()) as Reply<typeof getMeasurements>
      if (vitals?.at === waitsFor) resolve()
    } while (again)
    asking = false
  }
  const text = new TextDecoder()
  const listen = async () => {
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>)
      if (text.decode(piece).includes('event:')) void ask().catch(failing.reject)
    throw new Error('The live stream ended')
  }
  void listen().catch((error: unknown) => failing.reject(error))
  return {
    /** Resolves once it shows what was measured at that time. */
    shows(at: string): Promise<void> {
      waitsFor = at
      const shown = new Promise<void>((done) => (resolve = done))
      return within('What a device measured, until its screen shows it,', showsWithin, Promise.race([shown, failing.promise]))
    },
    vitalsAt: (at: string) => ({
      at,
      cpu_pct: 10,
      cores: 4,
      load_1: 0.5,
      memory_used_bytes: 1,
      memory_total_bytes: 2,
      disk_used_bytes: 1,
      disk_total_bytes: 2,
      temperature_c: 40,
      uptime_s: 1,
      undervolted: false,
      agent_rss_bytes: 1,
    }),
    close: () => over.abort(),
  }
}
