import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { claimDevice } from '@masthead/contract/devices/agent/device-operations'
import { ask } from './ask.ts'
import { readJson, writeWhole } from './write-file.ts'

/** Who this device is to which server. Kept in a file that only the agent reads. */
const Identity = z.object({
  server: z.string(),
  device_id: z.string(),
  token: z.string(),
  /** Of the broker: the first of `urls`, which agents of before read alone. */
  url: z.string(),
  urls: z._default(z.array(z.string()), []),
  /** PEM of certificates of the broker, as the server gave them. */
  ca: z.optional(z.string()),
  /** Files of the certificate by which it signs in to the broker, and of its key. */
  certificate: z.optional(z.object({ cert: z.string(), key: z.string() })),
})
export type Identity = z.output<typeof Identity>

export function readIdentity(path: string): Identity | undefined {
  const read = Identity.safeParse(readJson(path))
  if (!read.success) return undefined
  const { server, url, urls } = read.data
  if (urls.length > 0) return read.data
  // An agent of before spoke with the broker in clear whatever the server had.
  const mqtt_port = Number(new URL(url).port)
  const known = brokersOf(server, { mqtt_port })
  return { ...read.data, url: known[0], urls: known }
}

/**
 * Keeps the certificates of the broker that the server gives now: an agent that is started while the server is away knows them. Of a device that
 * was set up anew meanwhile nothing is changed. Fails where the file cannot be written.
 */
export function keepAuthority(path: string, { device_id, token }: Pick<Identity, 'device_id' | 'token'>, ca: string | undefined): void {
  const known = readJson(path) as Partial<Identity> | undefined
  if (known?.device_id !== device_id || known.token !== token || known.ca === ca) return
  writeWhole(path, JSON.stringify({ ...known, ca }))
}

const webSocketOf = (server: string) => `${server.replace(/^http/, 'ws').replace(/\/$/, '')}/mqtt`

/**
 * Where the broker is: where the server is. Encrypted where that is: by its own port, which needs no other certificate, and where nothing answers
 * there, by the broker's port for TLS. In clear only where the server is asked in clear, too.
 */
export function brokersOf(
  server: string,
  { mqtt_port, mqtts_port = 8883, byCertificate = false }: { mqtt_port: number; mqtts_port?: number | undefined; byCertificate?: boolean }
) {
  const { protocol, hostname } = new URL(server)
  const tls = `mqtts://${hostname}:${mqtts_port}`
  // The server's own port ends TLS before the broker sees a certificate.
  if (byCertificate) return [tls, ...(protocol === 'https:' ? [webSocketOf(server)] : [])] as [string, ...string[]]
  const urls: [string, ...string[]] = protocol === 'https:' ? [webSocketOf(server), tls] : [`mqtt://${hostname}:${mqtt_port}`]
  return urls
}

type Claim = { server: string; code: string; host: object; certificate?: Identity['certificate'] }

/** Uses a claim code, once, and keeps what the server gives for it. Fails with the server's words. */
export async function enrol(path: string, { server, code, host, certificate }: Claim): Promise<Identity> {
  const said = await ask(`${server.replace(/\/$/, '')}/v1${claimDevice.path}`, {
    method: claimDevice.method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code, ...host, ...(certificate && { certificate: readFileSync(certificate.cert, 'utf8') }) }),
    waits: 30_000,
  })
  const { device_id, token, mqtts_ca, ...ports } = claimDevice.reply.parse(JSON.parse(said.toString()))
  const urls = brokersOf(server, { ...ports, byCertificate: certificate !== undefined })
  const identity = { server, device_id, token, url: urls[0], urls, ...(mqtts_ca && { ca: mqtts_ca }), ...(certificate && { certificate }) }
  writeWhole(path, JSON.stringify(identity))
  return identity
}
