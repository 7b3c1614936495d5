import { isIPv6 } from 'node:net'
import { randomInt, randomUUID } from 'node:crypto'
import type { SecureContext } from 'node:tls'
import type { WebSocket } from 'ws'
import { unaskedFor } from '@masthead/contract/terminal/session'
import { unusedSince } from '../../auth/index.ts'
import type { App } from '../../kernel/app.ts'
import { tunnelUrl } from '../tunnel-names/tunnel-name.ts'
import { readCertificate } from './read-certificate.ts'
import { sourcesOf } from './sources.ts'
import { TunnelRelay, type Way } from './tunnel-relay.ts'
import {
  addConnection,
  closeConnection,
  endByItself,
  findEnding,
  noteFigures,
  noteNoPort,
  noteReached,
  portsOfOthers,
  takeTunnel,
  notifyWaiting,
  portAskedAfter,
  type TunnelRow,
} from './tunnel-rows.ts'

const asksEvery = 1000 // ms: who may not any more is cut within two seconds
const countsEvery = 2000 // ms
/** Ticks between two checks of those whose device is away. */
const unheldEach = 5

type MayStay = () => Promise<boolean | 'unknown'>
/** `allowed`: whether its device may still be there. `again`: when a port is tried for once more, in ms that have passed, as none was free. */
type Held = { row: TunnelRow; relay: TunnelRelay; allowed: MayStay; again?: number }
const nothing = { bytes_in: 0, bytes_out: 0, connections: 0, connections_now: 0, refused: 0 }

/** The tunnels whose devices are at this process. */
export class TunnelHub {
  #app: App
  #holder = randomUUID()
  #held = new Map<string, Held>()
  /** Devices that are here while the certificate is read, and for which tunnel. */
  #coming = new Map<WebSocket, TunnelRow>()
  #writing = new Set<Promise<unknown>>()
  #timers: NodeJS.Timeout[]
  #checking = false
  /** Since when nobody can be asked whether they may still be there, in ms that have passed. */
  #unaskedSince: number | undefined
  #counting = false
  #ticks = 0

  constructor(app: App) {
    this.#app = app
    this.#timers = [setInterval(() => void this.#check(), asksEvery), setInterval(() => void this.#count(), countsEvery)]
    for (const timer of this.#timers) timer.unref()
  }

  /** Takes a tunnel of a device that comes for it; undefined: there is none for it. */
  take(id: string, device_id: string): Promise<TunnelRow | undefined> {
    return takeTunnel(this.#app.db, { id, device_id, holder: this.#holder, at: this.#app.clock.now() })
  }

  /** The device is here: from now on it is reached at a port of ours. */
  async join(row: TunnelRow, device: WebSocket, allowed: MayStay): Promise<void> {
    const { db, clock } = this.#app
    this.#coming.set(device, row)
    const certificate = row.encrypted ? await this.#certificateOf(row) : null
    this.#coming.delete(device)
    // Nobody would be notified of its end.
    if (device.readyState !== device.OPEN) return
    // From here on nothing waits until it is held, so that of two that come at once the first is dropped.
    const before = this.#held.get(row.id)
    before?.relay.drop()
    if (before) this.#write(this.#note([before]))
    const relay: TunnelRelay = new TunnelRelay({
      device,
      certificate,
      isAllowed: sourcesOf(row.sources),
      onConnection: (from) => {
        const added = addConnection(db, row, { at: clock.now(), from, result: 'open' })
        this.#write(added)
        return (closed) => this.#write(added.then((id) => closeConnection(db, row, id, { at: clock.now(), ...closed })))
      },
      onRefused: (from, result) => this.#write(addConnection(db, row, { at: clock.now(), from, result })),
      onGone: () => {
        if (this.#held.get(row.id)?.relay !== relay) return
        this.#held.delete(row.id)
        this.#write(this.#leave(held))
      },
    })
    const held: Held = { row, relay, allowed }
    this.#held.set(row.id, held)
    // Not without TLS, as it was asked for; nor does the device come again and again for it.
    if (row.encrypted && certificate === null)
      return this.#noteEnd({ account_id: row.account_id, id: row.id, reason: 'no_certificate' }, this.#cut(row.id), clock.now())
    return this.#reach(held)
  }

  /** Opens a port of ours for a tunnel. Where none is free it is reached by its name alone; where it has no name its device comes again later. */
  async #reach(held: Held): Promise<void> {
    const { row, relay } = held
    const { db, clock, log, config } = this.#app
    const { host, from, to } = config.tunnels
    const url = tunnelUrl(config, row.id, config.ports.http)
    const port = await relay.listen(host, portsFor(row.own_port, await portsOfOthers(db, row), { from, to }))
    // Its device left meanwhile.
    if (this.#held.get(row.id) !== held) return
    if (port !== null) {
      const reached_at = `${nameOf(this.#app)}:${port}`
      await noteReached(db, row, this.#holder, { reached_at, own_port: port, no_port: false, url })
      delete held.again
      return
    }
    log.error({ tunnel: row.id }, `no port from ${from} to ${to} is free for a tunnel (MASTHEAD_TUNNEL_PORTS)`)
    if (url !== null) {
      held.again = clock.passed() + portAskedAfter
      await noteReached(db, row, this.#holder, { reached_at: null, own_port: row.own_port, no_port: true, url })
      return
    }
    await noteNoPort(db, row, this.#holder, clock.now())
    // For the device it is over, so that it does not come again at once: it is notified in a minute.
    relay.end()
  }

  /** For those that are reached by their name alone. */
  #tryPorts() {
    const now = this.#app.clock.passed()
    for (const held of this.#held.values())
      if (held.again !== undefined && held.again <= now) {
        held.again = now + portAskedAfter
        this.#write(this.#reach(held))
      }
  }

  /** A connection through a tunnel that is held here, or why there is none. */
  connect(id: string, from: string): Way | 'none' | 'source' | 'too_many' {
    return this.#held.get(id)?.relay.connect(from) ?? 'none'
  }

  /** Whether the port that a tunnel leads to speaks TLS. */
  speaksTls = (id: string): boolean => this.#held.get(id)?.row.tls ?? false

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    for (const { relay } of this.#held.values()) relay.drop()
    for (const device of this.#coming.keys()) device.terminate()
    await Promise.allSettled(this.#writing)
  }

  /** Read each time, as there may be a newer one; null: it cannot be read. */
  async #certificateOf({ id }: TunnelRow): Promise<SecureContext | null> {
    const { config, log } = this.#app
    try {
      if (config.tls === null) throw new Error('No certificate is set')
      const onMisfit = (error: unknown) =>
        log.warn({ err: error, tunnel: id }, 'the certificate for a tunnel and its key do not fit, and are read again')
      return await readCertificate(config.tls, { onMisfit })
    } catch (error) {
      log.error({ err: error, tunnel: id }, 'a tunnel is to speak TLS, and there is no certificate that can be read (MASTHEAD_TLS_CERT)')
      return null
    }
  }

  async #leave(held: Held) {
    await this.#note([held])
    await noteReached(this.#app.db, held.row, this.#holder, null)
  }

  #write(writing: Promise<unknown>) {
    const noted = writing.catch((error: unknown) => this.#app.log.error({ err: error }, 'something of a tunnel could not be written'))
    this.#writing.add(noted)
    void noted.finally(() => this.#writing.delete(noted))
  }

  /** Whether each may still be there. Asked all the time, because no event says who no longer sees a device whose tag was taken away. */
  async #check() {
    const unheld = this.#ticks++ % unheldEach === 0
    // A database that does not answer.
    if (this.#checking) return this.#unasked()
    if (!unheld && this.#held.size === 0) return
    this.#checking = true
    const { db, clock, log } = this.#app
    const at = clock.now()
    if (unheld) this.#tryPorts()
    try {
      const endings = await findEnding(db, { ids: [...this.#held.keys()], at, unused: unusedSince(this.#app, at), unheld })
      this.#unaskedSince = undefined
      // All are cut before the first is recorded, which may have to wait for its row.
      const cut = endings.map((ending) => ({ ending, held: this.#cut(ending.id) }))
      await Promise.all([...this.#held.values()].map(async ({ relay, allowed }) => (await allowed()) || relay.refuse()))
      // Each by itself: one that cannot be ended keeps no other one open, and is tried again once nobody holds it.
      for (const { ending, held } of cut)
        await this.#noteEnd(ending, held, at).catch((error: unknown) =>
          log.error({ err: error, tunnel: ending.id }, 'a tunnel could not be ended yet')
        )
      if (unheld) await notifyWaiting(db, at)
    } catch {
      this.#unasked()
    } finally {
      this.#checking = false
    }
  }

  /** Nothing was taken away by that, for a while. Then nothing goes through any more, and the devices come again once they can be let in. */
  #unasked() {
    const now = this.#app.clock.passed()
    this.#unaskedSince ??= now
    if (now - this.#unaskedSince > unaskedFor) for (const { relay } of this.#held.values()) relay.drop()
  }

  /** Nothing goes through it any more. */
  #cut(id: string): Held | undefined {
    const held = this.#held.get(id)
    this.#held.delete(id)
    held?.relay.end()
    return held
  }

  async #noteEnd({ account_id, id, reason }: Awaited<ReturnType<typeof findEnding>>[number], held: Held | undefined, at: Date) {
    // Before its end is recorded, so that it says how much went through.
    if (held) await this.#note([held])
    if (reason !== null) await endByItself(this.#app.db, { account_id, id }, reason, at)
  }

  async #count() {
    if (this.#counting || this.#held.size + this.#coming.size === 0) return
    this.#counting = true
    try {
      // Those that come are this process's too, for as long as it takes.
      const coming = [...this.#coming.values()].filter(({ id }) => !this.#held.has(id))
      for (const id of await this.#note([...this.#held.values()], coming)) {
        const held = this.#held.get(id)
        this.#held.delete(id)
        held?.relay.drop()
      }
    } catch {
      // What was not written is counted with the next.
    } finally {
      this.#counting = false
    }
  }

  #note(held: readonly Held[], coming: readonly TunnelRow[] = []) {
    const figures = held.map(({ row: { account_id, id }, relay }) => ({
      account_id,
      id,
      ...relay.takeFigures(),
      connections_now: relay.connectionsNow,
    }))
    const all = [...figures, ...coming.map(({ account_id, id }) => ({ account_id, id, ...nothing }))]
    return noteFigures(this.#app.db, { holder: this.#holder, at: this.#app.clock.now() }, all).catch((error: unknown) => {
      held.forEach(({ relay }, nth) => relay.giveBack(figures[nth]!))
      throw error
    })
  }
}

/** The name by which people reach our ports, as a port may stand behind it. */
export function nameOf({ config: { tunnels, publicUrl } }: { config: Pick<App['config'], 'tunnels' | 'publicUrl'> }): string {
  const own = isIPv6(tunnels.host) ? `[${tunnels.host}]` : tunnels.host
  if (/^(127(\.\d+){3}|::1|localhost)$/.test(tunnels.host)) return own
  return publicUrl ? new URL(publicUrl).hostname : own
}

/** The one that it had comes first, then those of no other tunnel, from anywhere on. */
function portsFor(own: number | null, others: ReadonlySet<number>, { from, to }: { from: number; to: number }): number[] {
  if (to === 0) return own === null ? [0] : [own, 0]
  const first = randomInt(from, to + 1)
  const free = Array.from({ length: to - from + 1 }, (_, nth) => from + ((first - from + nth) % (to - from + 1))).filter(
    (port) => port !== own && !others.has(port)
  )
  return own !== null && own >= from && own <= to ? [own, ...free] : free
}
