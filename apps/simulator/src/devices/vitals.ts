import type { Random } from '../random.ts'
import type { PlannedDevice } from './device-plan.ts'

export type Sections = Record<string, Record<string, unknown>>

const near = (random: Random, value: number, step: number, [least, most]: [number, number]) =>
  Math.min(most, Math.max(least, value + random.between(-step, step)))
const rounded = (value: number) => Math.round(value * 100) / 100
/** The board that each of them is, whatever this machine is. */
export const board = {
  arch: 'arm64',
  machine: 'aarch64',
  kernel: '6.6.31+rpt-rpi-v8',
  name: (kind: PlannedDevice['kind']) => (kind === 'core' ? 'Raspberry Pi 5' : 'Compute Module 4'),
} as const

const memoryBytes = 8_000_000_000
const diskBytes = 64_000_000_000
const signals = ['poor', 'fair', 'good', 'excellent'] as const

/** How a device is, from one measurement to the next: what it reports, section by section. */
export class Vitals {
  #random: Random
  #device: PlannedDevice
  #cpu: number
  #temperature: number
  #memory: number
  #disk: number
  #signal = 2
  #started: number
  readonly config: Record<string, unknown> = {
    apn: 'super',
    network_priority: { TYPE_C: 10, TYPE_E: 30, TYPE_W: 50, TYPE_X: 70 },
    check_internet_interval: 60,
    send_monitoring_data_interval: 25,
    logger_level: 'info',
  }
  readonly versions = { manager: '1.12.8', agent: '1.8.3' }

  constructor(device: PlannedDevice, random: Random, now: number) {
    this.#device = device
    this.#random = random
    this.#cpu = random.between(4, 30)
    this.#temperature = random.between(38, 52)
    this.#memory = random.between(42, 50)
    this.#disk = random.between(20, 70)
    this.#started = now - random.whole(3600, 20 * 86_400) * 1000
  }

  look(now: number): Sections {
    const random = this.#random
    this.#cpu = near(random, this.#cpu, 6, [1, 96])
    this.#temperature = near(random, this.#temperature, 0.8, [32, 78])
    this.#memory = near(random, this.#memory, 1.5, [12, 92])
    this.#disk = this.#filled(now) ?? near(random, this.#disk, 0.02, [8, 95])
    if (random.next() < 0.1) this.#signal = Math.min(3, Math.max(0, this.#signal + random.whole(-1, 1)))
    return {
      monitoring: this.#monitoring(),
      system: this.#system(),
      ...(this.#device.kind === 'core'
        ? { config: { ...this.config }, geolocation: { radio_type: 'lte', mcc: 204, mnc: 8, tac: 2104, cid: 52_190 } }
        : { vitals: this.measure(now) }),
    }
  }

  /** It goes on where what is known of its past ends. */
  #filled(now: number) {
    const { disk } = this.#device
    return disk && Math.min(95, disk.used_pct + ((now - Date.parse(disk.at)) / 86_400_000) * disk.a_day)
  }

  /** As our agent measures: a report of these is always whole. */
  measure(now: number) {
    return {
      at: new Date(now).toISOString(),
      cpu_pct: rounded(this.#cpu),
      cores: 4,
      load_1: rounded((this.#cpu / 100) * 4),
      memory_used_bytes: Math.round((this.#memory / 100) * memoryBytes),
      memory_total_bytes: memoryBytes,
      disk_used_bytes: Math.round((this.#disk / 100) * diskBytes),
      disk_total_bytes: diskBytes,
      temperature_c: rounded(this.#temperature),
      uptime_s: Math.round((now - this.#started) / 1000),
      undervolted: false,
      agent_rss_bytes: 52_000_000,
    }
  }

  #monitoring() {
    return {
      cellular_connection: true,
      usable_interfaces: ['wwan0', 'eth0'],
      active_interface: 'wwan0',
      signal_quality: signals[this.#signal],
      roaming_operator: 'KPN',
      active_lte_tech: 'E-UTRAN',
      fixed_incident: 3,
      selected_apn: this.config.apn,
      ifs_status: { wwan0: [true, 'TYPE_C', 10], eth0: [true, 'TYPE_E', 30], wlan0: [false, 'TYPE_W', 50] },
    }
  }

  #system() {
    const { iccid = '', imei = '', kind, name } = this.#device
    return {
      manager_version: this.versions.manager,
      agent_version: this.versions.agent,
      modem_vendor: 'Quectel',
      modem_name: 'EC25',
      modem_vendor_id: '2c7c',
      modem_product_id: '0125',
      sw_version: 'EC25GGBR07A08M2G',
      imei,
      iccid,
      arc: '64bit',
      machine: board.machine,
      kernel: board.kernel,
      platform: 'Linux',
      board: board.name(kind),
      host_name: name,
    }
  }
}

/** Keys whose value is another than what was acknowledged. */
export const changesOf = (now: Record<string, unknown>, acked: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(now).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(acked[key])))
