import type { PlannedDevice } from './device-plan.ts'

type EsimJob = { generation: number; do: string; iccid?: string; name?: string | undefined }
type Profile = { iccid: string; provider: string; name: string | null }
export type WantedNetwork = {
  generation: number
  priority: string[] | null
  apn: { name: string; user: string | null; password: string | null } | null
  pin: { generation: number } | null
  profile?: string | null
  esim?: EsimJob | null
  wifi?: { ssid: string; security: string }[] | null
} | null

type Interface = { name: string; kind: string; connection: string | null; address: string | null; metric: number }
type Settings = { apn: string; user: string | null; password: boolean; ssid: string; profile: string; metrics: Record<string, number> }
type Change = { generation: number; began: number; before: Settings; undone: boolean }

const trialLasts = 90_000 // ms
const reachedAfter = 8000 // ms
const undoneAfter = 25_000 // ms
const firstProfiles: readonly Profile[] = [
  { iccid: '8931082017004430677', provider: 'Masthead Global', name: null },
  { iccid: '8931440400002815534', provider: 'Vodafone IoT NL', name: null },
]
/** Nobody has such an APN: with it the server is not reached. */
const nowhere = 'nowhere'

/** What our agent says of the network: what is wanted is tried, and kept, but for an APN that leads nowhere. */
export class SimulatedNetwork {
  #device: PlannedDevice
  #apn = 'super'
  #user: string | null = null
  #password = false
  #interfaces: Interface[] = [
    { name: 'eth0', kind: 'E', connection: null, address: null, metric: 100 },
    { name: 'wlan0', kind: 'W', connection: 'depot', address: '192.168.40.21', metric: 600 },
    { name: 'wwan0', kind: 'C', connection: 'cellular', address: '10.64.12.81', metric: 700 },
  ]
  /** The Wi-Fi network that it is in: the one of its own, or the last one that was set. */
  #ssid = 'depot'
  #profiles = [...firstProfiles]
  #profile = firstProfiles[0]!.iccid
  #change: Change | undefined
  /** The last thing that it was to do with its eSIM, and what became of it. */
  #tried: {
    generation: number
    do: string
    state: string
    step: null
    percent: number
    words: string | null
    iccid?: string
    at: string
  } | null = null

  constructor(device: PlannedDevice) {
    this.#device = device
  }

  /** Its report, and in how many seconds there is more to say. */
  report(wanted: WantedNetwork, now: number) {
    // Without a generation no setting was ever wanted, only a job of its eSIM.
    if (wanted && wanted.generation > 0 && this.#change?.generation !== wanted.generation) this.#begin(wanted, now)
    const change = this.#change
    if (change && !change.undone && this.#apn === nowhere && now - change.began >= undoneAfter) this.#undo(change)
    const settled = change && (change.undone || (this.#apn !== nowhere && now - change.began >= reachedAfter))
    return { data: this.#words(wanted, now, settled ?? false), again: change && !settled ? 5 : null }
  }

  #begin({ generation, priority, apn, wifi, profile }: NonNullable<WantedNetwork>, now: number) {
    const metrics = Object.fromEntries(this.#interfaces.map(({ name, metric }) => [name, metric]))
    this.#change = { generation, began: now, before: { ...this.#settings(), metrics }, undone: false }
    for (const each of this.#interfaces) each.metric = ((priority ?? []).indexOf(each.name) + 1) * 100 || each.metric
    if (this.#profiles.some(({ iccid }) => iccid === profile)) this.#profile = profile!
    this.#ssid = wifi?.at(-1)?.ssid ?? 'depot'
    if (apn) [this.#apn, this.#user, this.#password] = [apn.name, apn.user, apn.password !== null]
  }

  #settings = () => ({ apn: this.#apn, user: this.#user, password: this.#password, ssid: this.#ssid, profile: this.#profile })

  #undo(change: Change) {
    change.undone = true
    const { apn, user, password, ssid, profile } = change.before
    ;[this.#apn, this.#user, this.#password, this.#ssid, this.#profile] = [apn, user, password, ssid, profile]
    for (const each of this.#interfaces) each.metric = change.before.metrics[each.name]!
  }

  /** Any activation code gives a profile of an operator that there is not; the one in use is not deleted. */
  #try({ generation, do: act, iccid: of, name }: EsimJob, at: string) {
    if (this.#tried?.generation === generation) return
    const done = { generation, do: act, state: 'done', step: null, percent: 100, words: null, at }
    if (act === 'add') {
      const iccid = `8988303${String(generation).padStart(12, '0')}`
      this.#profiles.push({ iccid, provider: 'Simulated Operator', name: name ?? null })
      this.#tried = { ...done, iccid }
    } else if (of === this.#profile) this.#tried = { ...done, state: 'failed', percent: 0, words: 'The profile is in use' }
    else {
      this.#profiles = this.#profiles.filter(({ iccid }) => iccid !== of)
      this.#tried = done
    }
  }

  #words(wanted: WantedNetwork, now: number, settled: boolean) {
    const at = new Date(now).toISOString()
    if (wanted?.esim) this.#try(wanted.esim, at)
    const change = this.#change
    const began_at = change && new Date(change.began).toISOString()
    return {
      at,
      words: null,
      manager: 'NetworkManager 1.42.4',
      modem_words: null,
      interfaces: this.#interfaces.map(({ name, kind, connection, address, metric }) => ({
        name,
        kind,
        up: address !== null,
        addresses: address === null ? [] : [address],
        metric: address === null ? null : metric,
        connection,
        internet: address === null ? null : 'full',
      })),
      apn: { name: this.#apn, user: this.#user, has_password: this.#password },
      wifi: {
        scanned_at: null,
        networks: [
          { ssid: 'depot', signal_pct: 74, security: 'wpa2', own: true },
          { ssid: 'yard', signal_pct: 58, security: 'wpa3', own: false },
          { ssid: 'guest', signal_pct: 41, security: 'open', own: false },
        ].map((each) => ({ ...each, in_use: each.ssid === this.#ssid })),
      },
      esim: {
        words: null,
        eid: null,
        profiles: this.#profiles.map((each) => ({ ...each, aid: null, enabled: each.iccid === this.#profile })),
        job: this.#tried,
      },
      modem: {
        manufacturer: 'Quectel',
        model: 'EG25-G',
        firmware: 'EG25GGBR07A08M2G',
        imei: this.#device.imei ?? null,
        state: 'connected',
        operator: 'KPN',
        operator_code: '20408',
        technology: 'lte',
        signal_pct: 67,
        lock: null,
        pin_tries: 3,
      },
      change: change
        ? {
            generation: change.generation,
            state: change.undone ? 'undone' : settled ? 'kept' : 'trial',
            words: change.undone ? 'The server was not reached with it' : null,
            began_at,
            until: settled ? null : new Date(change.began + trialLasts).toISOString(),
            ended_at: settled ? at : null,
          }
        : null,
      pin: wanted?.pin ? { generation: wanted.pin.generation, state: 'not_asked', words: null, at } : null,
    }
  }
}
