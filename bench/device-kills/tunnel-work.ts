import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { until, within } from '../devices/until.ts'
import type { Scene } from './scene.ts'

/** A device that is there comes for a tunnel within this time; one that is away is not waited for. */
const comesWithin = 30_000 // ms
/** A connection whose other side is silent ends: 25 s at the device, 20 s at the server. */
const silentFor = 40_000 // ms

/** Opens tunnels one after the other, sends through several connections of each, and revokes it. */
export async function workInTunnels(scene: Scene, nth: number): Promise<void> {
  const { agents, call, random, counts, port } = scene
  const fields = { port, address: null, sources: ['127.0.0.0/8'], minutes: 15 }
  while (scene.goes()) {
    const { asset } = agents[nth % agents.length]!
    const tunnel = await call<{ id: string }>('POST', `assets/${asset}/tunnels`, fields).catch(() => undefined)
    if (!tunnel) {
      await pause(500)
      continue
    }
    const { id } = tunnel
    counts.tunnels++
    const at = await until('A tunnel', comesWithin, async () => {
      if (!scene.goes()) throw new Error('it is over')
      return (await call<{ reached_at: string | null }>('GET', `tunnels/${id}`)).reached_at
    }).catch(() => null)
    if (at !== null) await Promise.all(Array.from({ length: 3 }, () => send(scene, Number(at.split(':').at(-1)))))
    await pause(random.between(0, 300))
    await call('POST', `tunnels/${id}/revoke`).catch(() => {})
  }
}

/** Pieces for a while, each of which comes back, or the connection ends. */
async function send({ random, counts, hung }: Scene, port: number) {
  const socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => {})
  const closed = new Promise<false>((resolve) => void socket.once('close', () => resolve(false)))
  const opened = await Promise.race([once(socket, 'connect').then(() => true), closed]).catch(() => false)
  const end = performance.now() + random.between(500, 6000)
  let isBack = opened
  while (isBack && performance.now() < end) {
    const back = new Promise<true>((resolve) => void socket.once('data', () => resolve(true)))
    socket.write('a piece through a tunnel')
    isBack = await within('A piece through a tunnel', silentFor, Promise.race([back, closed])).catch((error: Error) => {
      hung.push(error.message)
      return false
    })
    if (isBack) counts.pieces++
    await pause(100)
  }
  socket.destroy()
}
