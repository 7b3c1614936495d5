import * as z from 'zod/mini'
import { claimDevice } from '@masthead/contract/devices/agent/operations'
import { ask } from './ask.ts'
import { readJson, writeWhole } from './write-file.ts'

/** Who this device is to which server. Kept in a file that only the agent reads. */
const Identity = z.object({ server: z.string(), device_id: z.string(), token: z.string(), url: z.string() })
export type Identity = z.output<typeof Identity>

export function readIdentity(path: string): Identity | undefined {
  const read = Identity.safeParse(readJson(path))
  return read.success ? read.data : undefined
}

/** Uses a claim code, once, and keeps what the server gives for it. Fails with the server's words. */
export async function enrol(path: string, { server, code, host }: { server: string; code: string; host: object }): Promise<Identity> {
  const said = await ask(`${server.replace(/\/$/, '')}/v1${claimDevice.path}`, {
    method: claimDevice.method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code, ...host }),
    waits: 30_000,
  })
  const { device_id, token, mqtt_port } = claimDevice.reply.parse(JSON.parse(said.toString()))
  // The broker is where the server is.
  const identity = { server, device_id, token, url: `mqtt://${new URL(server).hostname}:${mqtt_port}` }
  writeWhole(path, JSON.stringify(identity))
  return identity
}
