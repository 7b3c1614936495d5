import type { Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { dictionary } from '@masthead/radius/dictionary'
import type { Attributes } from '@masthead/radius/dictionary'
import { codes, find } from '@masthead/radius/packet'
import { numberFor, statusTypes } from '@masthead/radius/words'
import type { Agenda } from './agenda.ts'
import { decideWith, listenForCuts } from './cut-listener.ts'
import { openExchange } from './exchange.ts'
import type { ExchangeCounts } from './exchange.ts'
import type { GatewayPlan } from './network-plan.ts'
import type { Random } from './random.ts'
import { identityOf, Session } from './session.ts'
import type { Device, Grant, SessionUse } from './session.ts'

/** How the server answered an Access-Request. */
export type Answer = { kind: 'accepted'; grant: Grant } | { kind: 'rejected'; words: string } | { kind: 'unanswered' }

export type Gateway = {
  readonly name: string
  readonly counts: Readonly<ExchangeCounts>
  readonly sessions: ReadonlyMap<string, Session>
  inFlight(): number
  /** Asks whether a device may come in. `framed_ip` is its address unless the server gives another. */
  authorise(device: Device, framed_ip: string): Promise<Answer>
  /** Begins a session and sends its Start. */
  open(device: Device, grant: Grant, use?: SessionUse): Session
  /** Reports to the server that the gateway goes up or down: it knows of no sessions then. */
  announce(status: 'on' | 'off'): Promise<boolean>
  close(): void
}

export type GatewayOptions = Omit<GatewayPlan, 'networks'> & {
  server: { host: string; auth_port: number; acct_port: number }
  agenda: Agenda
  random: Random
}

/** A packet gateway: RADIUS client for its devices, and server of Disconnect- and CoA-Requests. Rejects when an address is taken. */
export async function openGateway({ name, address, secret: words, coa_port, server, agenda, random }: GatewayOptions): Promise<Gateway> {
  const secret = Buffer.from(words)
  const exchange = await openExchange({ address, server, secret, agenda, random })
  const sessions = new Map<string, Session>()
  const gateway = { name, address }
  // Address, start and number make an id that no later run of the same gateway gives again.
  const prefix = sessionPrefix(address, agenda.now())
  let charging_id = random.whole(1, 2 ** 20)
  let listener: Socket | undefined
  if (coa_port !== undefined) {
    try {
      listener = await listenForCuts(address, coa_port, secret, decideWith(gateway, sessions))
    } catch (error) {
      exchange.close()
      throw error
    }
  }

  return {
    name,
    counts: exchange.counts,
    sessions,
    inFlight: () => exchange.inFlight(),
    async authorise(device, framed_ip) {
      const reply = await exchange.request('auth', { ...identityOf(device, gateway), framed_ip })
      if (!reply) return { kind: 'unanswered' }
      if (reply.code === codes.access_reject) return { kind: 'rejected', words: find(reply, dictionary.reply_message) ?? '' }
      const grant: Grant = {
        interim_interval: find(reply, dictionary.acct_interim_interval),
        session_timeout: find(reply, dictionary.session_timeout),
        framed_ip: find(reply, dictionary.framed_ip) ?? framed_ip,
        class: reply.attributes
          .filter(({ vendor, type }) => vendor === 0 && type === dictionary.class.type)
          .map(({ value }) => value)
          .slice(0, 4),
      }
      return { kind: 'accepted', grant }
    },
    open(device, grant, use = {}) {
      charging_id = (charging_id + 1) % 2 ** 32
      const id = prefix + charging_id.toString(16).padStart(8, '0')
      const session = new Session({
        id,
        charging_id,
        device,
        grant,
        gateway,
        exchange,
        agenda,
        ...use,
        onStop: () => sessions.delete(id),
      })
      sessions.set(id, session)
      void session.start()
      return session
    },
    async announce(status) {
      const attributes: Attributes = {
        nas_identifier: name,
        ...(isIPv6(address) ? { nas_ipv6: address } : { nas_ip: address }),
        acct_status_type: numberFor(statusTypes, status),
        acct_session_id: prefix,
        event_timestamp: Math.floor(agenda.now() / 1000),
      }
      return (await exchange.request('acct', attributes)) !== null
    },
    close() {
      exchange.close()
      listener?.close()
    },
  }
}

function sessionPrefix(address: string, now: number): string {
  const host = isIPv6(address)
    ? address.replaceAll(/[^0-9a-f]/g, '').slice(-8)
    : address
        .split('.')
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('')
  return (
    host +
    Math.floor(now / 1000)
      .toString(16)
      .padStart(8, '0')
  )
}
