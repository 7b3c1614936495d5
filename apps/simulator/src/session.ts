import type { Attributes } from '@masthead/radius/dictionary'
import { numberFor, ratTypes, statusTypes, terminateCauses } from '@masthead/radius/words'
import type { StatusType, TerminateCause } from '@masthead/radius/words'
import type { Agenda } from './agenda.ts'
import type { Exchange } from './exchange.ts'
import type { SimPlan } from './network-plan.ts'

/** A SIM in its device, and where it is. */
export type Device = Pick<SimPlan, 'imsi' | 'msisdn' | 'imei' | 'apn' | 'home'> & {
  visited: SimPlan['route'][number]
  area: number
  cell: number
}

/** What the server granted in its Access-Accept, in seconds. */
export type Grant = { interim_interval: number | null; session_timeout: number | null; framed_ip: string; class: Buffer[] }

export type Octets = { input: number; output: number }

/** Why a session ends. */
export type Cause = TerminateCause

export type SessionOptions = {
  id: string
  charging_id: number
  device: Device
  grant: Grant
  gateway: { name: string; address: string }
  exchange: Exchange
  agenda: Agenda
  onStop: () => void
} & SessionUse

export type SessionUse = {
  /** Called when the server ends the session and the gateway has said yes. Left out, the session just stops. */
  onCut?: () => void
  /** Grows with what is acknowledged: a SIM's total over its sessions. */
  total?: Octets
}

/** One PDP session as its gateway counts it, from Start to Stop. */
export class Session {
  readonly id: string
  readonly device: Device
  readonly framed_ip: string
  /** Seconds between interim reports; a CoA-Request may change it. */
  interim_interval: number | null
  readonly session_timeout: number | null
  readonly cut: () => void
  /** Counted so far, and the most that was acknowledged. `input` is what the device sent. */
  readonly counted: Octets = { input: 0, output: 0 }
  readonly acknowledged: Octets = { input: 0, output: 0 }
  readonly startedAt: number
  readonly #identity: Attributes
  readonly #exchange: Exchange
  readonly #onStop: () => void
  readonly #total: Octets | undefined
  readonly #agenda: Agenda
  #seconds = -1
  #reporting = false
  #stopped = false

  constructor({ id, charging_id, device, grant, gateway, exchange, agenda, onStop, onCut, total }: SessionOptions) {
    this.id = id
    this.device = device
    this.framed_ip = grant.framed_ip
    this.interim_interval = grant.interim_interval
    this.session_timeout = grant.session_timeout
    this.cut = onCut ?? (() => void this.stop('Admin-Reset'))
    this.#total = total
    this.#onStop = onStop
    this.startedAt = agenda.now()
    this.#exchange = exchange
    this.#agenda = agenda
    this.#identity = {
      ...identityOf(device, gateway),
      framed_ip: grant.framed_ip,
      class: grant.class,
      acct_session_id: id,
      acct_authentic: 1,
      charging_id,
    }
  }

  /** The device moved so many bytes. */
  count({ up, down }: { up: number; down: number }): void {
    this.counted.input += up
    this.counted.output += down
  }

  start(): Promise<boolean> {
    return this.#account('start')
  }

  /** Reports the counters; nothing when the last report is still unanswered, for the next one will say it all. */
  async report(): Promise<boolean> {
    if (this.#reporting || this.#stopped) return false
    this.#reporting = true
    const received = await this.#account('interim')
    this.#reporting = false
    return received
  }

  /** Ends the session and says so until somebody answers it. False when the exchange closed first. */
  async stop(cause: Cause): Promise<boolean> {
    if (this.#stopped) return false
    this.#stopped = true
    this.#onStop()
    return this.#account('stop', cause)
  }

  async #account(status: StatusType, cause?: Cause): Promise<boolean> {
    const { input, output } = this.counted
    const attributes: Attributes = {
      ...this.#identity,
      acct_status_type: numberFor(statusTypes, status),
      acct_session_time: this.#nextSecond(),
      event_timestamp: Math.floor(this.#agenda.now() / 1000),
      ...(status !== 'start' && countersOf({ input, output })),
      ...(cause && { acct_terminate_cause: numberFor(terminateCauses, cause) }),
      ...(status === 'stop' && { session_stop_indicator: 0xff }),
    }
    do {
      if (await this.#exchange.request('acct', attributes)) {
        this.#acknowledge('input', input)
        this.#acknowledge('output', output)
        return true
      }
    } while (status === 'stop' && this.#exchange.isOpen())
    return false
  }

  #acknowledge(way: keyof Octets, octets: number) {
    const more = Math.max(0, octets - this.acknowledged[way])
    this.acknowledged[way] += more
    if (this.#total) this.#total[way] += more
  }

  /** Whole seconds since the start, and more in every report than in the one before: equal ones would pass for duplicates. */
  #nextSecond(): number {
    this.#seconds = Math.max(this.#seconds + 1, Math.floor((this.#agenda.now() - this.startedAt) / 1000))
    return this.#seconds
  }
}

/** Who and where a device is, as both kinds of request say it. */
export function identityOf(
  { imsi, msisdn, imei, apn, home, visited, area, cell }: Device,
  gateway: { name: string; address: string }
): Attributes {
  const [mcc = '', mnc = ''] = visited.mccmnc.split('-')
  const v6 = gateway.address.includes(':')
  return {
    user_name: imsi,
    nas_identifier: gateway.name,
    ...(v6 ? { nas_ipv6: gateway.address } : { nas_ip: gateway.address, ggsn_address: gateway.address }),
    service_type: 2,
    framed_protocol: 7,
    called_station_id: apn,
    calling_station_id: msisdn,
    nas_port_type: 18,
    imsi,
    pdp_type: 0,
    imsi_mccmnc: home.replace('-', ''),
    ggsn_mccmnc: home.replace('-', ''),
    nsapi: '5',
    selection_mode: '0',
    charging_characteristics: '0800',
    sgsn_mccmnc: visited.mccmnc.replace('-', ''),
    imeisv: `${imei.slice(0, 14)}01`,
    rat_type: numberFor(ratTypes, visited.rat),
    user_location: { type: visited.rat.startsWith('NR') ? 'tai_ncgi' : 'tai_ecgi', mcc, mnc, area, cell },
  }
}

const countersOf = ({ input, output }: Octets): Attributes => ({
  acct_input_octets: input % 2 ** 32,
  acct_output_octets: output % 2 ** 32,
  acct_input_gigawords: Math.floor(input / 2 ** 32),
  acct_output_gigawords: Math.floor(output / 2 ** 32),
  acct_input_packets: Math.ceil(input / 700) % 2 ** 32,
  acct_output_packets: Math.ceil(output / 700) % 2 ** 32,
})
