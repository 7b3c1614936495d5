import { request as ask, STATUS_CODES, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { connect as secure } from 'node:tls'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../kernel/app.ts'
import { addressOf, takeHosts } from '../../kernel/http/other-hosts.ts'
import { plainFrom } from '../tunnels/sources.ts'
import type { TunnelHub } from '../tunnels/tunnel-hub.ts'
import { fromDevice, toDevice } from './clean-headers.ts'
import { tunnelNamed } from './tunnel-name.ts'

const refusals = {
  none: [502, 'This tunnel is not open. It was revoked, its time was over, or its device is not connected.'],
  source: [403, 'This tunnel may not be reached from your address.'],
  too_many: [503, 'This tunnel has as many connections as it may have. Try again in a moment.'],
} as const
const broken = 'The device closed the connection without an answer, or what it answered is no HTTP.'
const perhapsTls = `${broken} Where its port speaks HTTPS, open a tunnel with “The port speaks HTTPS”.`
const wantsCertificate = 'The device asks for a certificate of whoever connects, and tunnels have none.'
const noTls =
  'The port of the device does not speak HTTPS, or no version of it that this server knows. Open a tunnel without “The port speaks HTTPS”.'

/** What went wrong on the way to the device, in words. `tls`: its port was asked by HTTPS; `refusal`: why the device could not connect to it. */
function wordsOf({ code = '' }: NodeJS.ErrnoException, { tls, refusal }: { tls: boolean; refusal: string | null }): string {
  if (refusal !== null) return `The device could not connect to its port: ${refusal}`
  if (!tls) return perhapsTls
  if (code.endsWith('CERTIFICATE_REQUIRED')) return wantsCertificate
  return code.startsWith('ERR_SSL') || code === 'EPROTO' ? noTls : broken
}

/** The web pages of devices, each at the name of its tunnel. A connection of the tunnel for each request: what ends it ends these. */
export function takeNames(server: FastifyInstance, { config }: App, hub: TunnelHub): void {
  const protocol = config.publicUrl ? new URL(config.publicUrl).protocol.slice(0, -1) : 'http'

  function dial(request: IncomingMessage, name: string, upgrades: boolean) {
    const from = plainFrom(addressOf(request, config.trustProxy))
    const id = tunnelNamed(config, name) ?? ''
    const connected = hub.connect(id, from)
    if (typeof connected === 'string') return connected
    const { stream: plain, refusal } = connected
    const tls = hub.speaksTls(id)
    const way = tls ? encrypted(plain) : plain
    const { method, url: path, headers } = request
    const asked = ask({ createConnection: () => way, method, path, headers: toDevice({ headers, from, protocol, upgrades }) })
    return { way, asked, tls, refusal }
  }

  takeHosts(server, {
    isTheirs: (name) => tunnelNamed(config, name) !== null,
    request(request: IncomingMessage, response: ServerResponse, name: string) {
      const dialled = dial(request, name, false)
      if (typeof dialled === 'string') return refuse(response, refusals[dialled][0], refusals[dialled][1])
      const { way, asked, tls, refusal } = dialled
      response.on('close', () => way.destroy())
      request.on('error', () => way.destroy())
      asked.on('error', (error) =>
        response.headersSent ? response.destroy() : refuse(response, 502, wordsOf(error, { tls, refusal: refusal() }))
      )
      asked.on('response', (answer) => {
        // Three digits are all that is known of it, and Node throws where they are no status.
        const status = answer.statusCode ?? 0
        if (status < 200 || status > 599) {
          way.destroy()
          return refuse(response, 502, tls ? broken : perhapsTls)
        }
        response.writeHead(status, fromDevice(answer.headers))
        answer.on('error', () => response.destroy())
        // One that breaks off is not to be taken for a whole one.
        answer.on('close', () => answer.complete || response.destroy())
        answer.pipe(response)
      })
      request.pipe(asked)
      return undefined
    },
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, name: string) {
      socket.on('error', () => {})
      // It may be silent for as long as the tunnel lasts.
      if (socket instanceof Socket) socket.setTimeout(0)
      const dialled = dial(request, name, true)
      if (typeof dialled === 'string') return void socket.end(headOf(refusals[dialled][0], { connection: 'close' }))
      const { way, asked } = dialled
      socket.on('close', () => way.destroy())
      asked.on('error', () => socket.destroy())
      asked.on('response', ({ statusCode = 502 }) => {
        socket.end(headOf(statusCode >= 200 && statusCode <= 599 ? statusCode : 502, { connection: 'close' }))
        way.destroy()
      })
      asked.on('upgrade', (answer, device: Duplex, first: Buffer) => {
        socket.write(headOf(101, fromDevice(answer.headers, true)))
        if (first.length > 0) socket.write(first)
        if (head.length > 0) device.write(head)
        device.on('error', () => {})
        device.on('close', () => socket.destroy())
        socket.pipe(device).pipe(socket)
      })
      asked.end()
      return undefined
    },
  })
}

/**
 * TLS to the device itself. Its certificate is one that it made, for a name that it does not have here: nobody could check it, and the connection on which this
 * goes is that of the device already.
 */
function encrypted(plain: Duplex): Duplex {
  const way = secure({ socket: plain, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
  plain.on('error', () => way.destroy())
  plain.on('close', () => way.destroy())
  way.on('error', () => plain.destroy())
  way.on('close', () => plain.destroy())
  return way
}

function refuse(response: ServerResponse, status: number, words: string) {
  response
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', connection: 'close' })
    .end(`${words}\n`)
}

function headOf(status: number, headers: OutgoingHttpHeaders): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one) => `${name}: ${one}`))
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', ''].join('\r\n')
}
