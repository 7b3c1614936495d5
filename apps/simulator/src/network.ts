import { Agenda, machineClock } from './agenda.ts'
import type { Clock } from './agenda.ts'
import { openGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'
import type { NetworkPlan } from './network-plan.ts'
import { seededRandom, seedFor } from './random.ts'
import { Subscriber } from './subscriber.ts'
import type { Surroundings } from './subscriber.ts'

/** Counts since the network was opened, and what is so now. Octets are those acknowledged. */
export type NetworkStats = {
  sims: number
  online: number
  rejected: number
  in_flight: number
  requests: number
  retransmits: number
  answered: number
  given_up: number
  input_octets: number
  output_octets: number
}

export type Network = {
  readonly gateways: ReadonlyMap<string, Gateway>
  /** By IMSI. */
  readonly subscribers: ReadonlyMap<string, Subscriber>
  stats(): NetworkStats
  /** Ends every session, says Accounting-Off and closes; after `grace` milliseconds it closes whatever was answered. Safe to call twice. */
  stop(grace?: number): Promise<void>
}

/** Real milliseconds over which the SIMs come in: about twenty a second, a minute at most. */
const arrival = (sims: number) => Math.min(sims * 50, 60_000)

/** Opens the simulated network and lets it live. Rejects when an address or port of a gateway cannot be bound. */
export async function openNetwork({ plan, clock = machineClock }: { plan: NetworkPlan; clock?: Clock }): Promise<Network> {
  const agenda = new Agenda(clock)
  const openedAt = agenda.now()
  const gateways = new Map<string, Gateway>()
  try {
    for (const { networks: _, ...gateway } of plan.gateways) {
      const random = seededRandom(seedFor(plan.seed, gateway.name))
      gateways.set(gateway.name, await openGateway({ ...gateway, server: plan.server, agenda, random }))
    }
  } catch (error) {
    for (const gateway of gateways.values()) gateway.close()
    throw error
  }
  const first = gateways.values().next().value!
  const fronts = new Map(plan.gateways.flatMap(({ name, networks }) => networks.map((mccmnc) => [mccmnc, gateways.get(name)!])))

  const around: Surroundings = {
    agenda,
    speed: plan.speed,
    simulatedNow: () => openedAt + (agenda.now() - openedAt) * plan.speed,
    gatewayFor: (sim, mccmnc) => (sim.gateway === undefined ? fronts.get(mccmnc) : gateways.get(sim.gateway)) ?? first,
  }
  const subscribers = new Map<string, Subscriber>()
  plan.sims.forEach((sim, i) => {
    const random = seededRandom(seedFor(plan.seed, sim.imsi))
    subscribers.set(sim.imsi, new Subscriber(sim, addressOf(i), around, random))
  })

  // A gateway that has just come up knows of no session: it says so before it begins any.
  const announced = plan.announce ? [...gateways.values()].map((gateway) => gateway.announce('on')) : []
  let stopping: Promise<void> | undefined
  void Promise.all(announced).then(() => {
    if (!stopping) for (const subscriber of subscribers.values()) subscriber.begin(arrival(subscribers.size))
  })

  async function leave() {
    await Promise.all([...subscribers.values()].map((subscriber) => subscriber.end('NAS-Reboot')))
    if (plan.announce) await Promise.all([...gateways.values()].map((gateway) => gateway.announce('off')))
  }

  async function close(grace: number) {
    if (grace > 0) await Promise.race([leave(), new Promise<void>((resolve) => agenda.in(grace, resolve))])
    for (const gateway of gateways.values()) gateway.close()
    agenda.clear()
  }

  return {
    gateways,
    subscribers,
    stats() {
      const all = [...subscribers.values()]
      const sum = (of: (gateway: Gateway) => number) => [...gateways.values()].reduce((total, gateway) => total + of(gateway), 0)
      return {
        sims: all.length,
        online: all.filter(({ state }) => state === 'online').length,
        rejected: all.filter(({ rejectedWith }) => rejectedWith !== null).length,
        in_flight: sum((gateway) => gateway.inFlight()),
        requests: sum(({ counts }) => counts.requests),
        retransmits: sum(({ counts }) => counts.retransmits),
        answered: sum(({ counts }) => counts.answered),
        given_up: sum(({ counts }) => counts.given_up),
        input_octets: all.reduce((total, { acknowledged }) => total + acknowledged.input, 0),
        output_octets: all.reduce((total, { acknowledged }) => total + acknowledged.output, 0),
      }
    },
    stop: (grace = 3000) => (stopping ??= close(grace)),
  }
}

/** The n-th device's own address: 10.0.0.2 and up. */
const addressOf = (n: number) => `10.${((n + 2) >> 16) & 255}.${((n + 2) >> 8) & 255}.${(n + 2) & 255}`
