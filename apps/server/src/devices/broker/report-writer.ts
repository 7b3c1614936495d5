import type { Logger } from 'pino'
import type { Signal } from '@masthead/contract/kernel/live'
import { deviceReported } from '@masthead/contract/signals'
import type { AppDb, Clock } from '../../kernel/app.ts'
import { LastingFailure } from '../../kernel/lasting-failure.ts'
import { HoldRepeats } from '../../kernel/live/hold-repeats.ts'
import { publishAll } from '../../kernel/live/publish.ts'
import { noteEsimEnded, noteUndone } from '../network/index.ts'
import { wholeSections, type Life } from './message.ts'
import { storeReports, type Row } from './store-reports.ts'
import { wakeRollouts } from './wake-rollouts.ts'

const gather = 20 // ms: what comes together is one statement
const again = 500 // ms after a statement that failed
const mostAtOnce = 1000
const hold = 150 // ms
/** Bytes of reports of one device that wait together. */
const mostWaiting = 64 * 1024

export type DeviceKey = { account_id: string; device_id: string }
/** `bytes`: of the reports in it. */
type Waiting = Row & { bytes: number; stored: (() => void)[] }
/** `bytes`: of the packet. */
type Report = { section: string; keys: Record<string, unknown>; bytes: number }
type Parts = { db: AppDb; broker: string; clock: Clock; log: Logger; stored: (rows: number) => void; refused: () => void }

/** Gathers what devices report and stores it in batches. What is not stored yet is not acknowledged: the device says it again. */
export class ReportWriter {
  #parts: Parts
  #waiting = new Map<string, Waiting>()
  /** Devices of which something was too much, until what was taken before it is stored. */
  #full = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #storing: Promise<void> | undefined
  #signals: HoldRepeats<readonly [account_id: string, signal: Signal]>
  #unstored: LastingFailure
  #unnoted: LastingFailure

  constructor(parts: Parts) {
    this.#parts = parts
    this.#unstored = new LastingFailure(parts.log, {
      begins: 'what devices reported is not stored yet',
      over: 'what devices report is stored again',
    })
    this.#unnoted = new LastingFailure(parts.log, {
      begins: 'what follows on reports is not noted yet',
      over: 'what follows on reports is noted again',
    })
    const send = (signals: (readonly [string, Signal])[]) => publishAll(parts.db, signals).catch(() => {})
    this.#signals = new HoldRepeats({ gather: 10, hold, send })
  }

  get size(): number {
    return this.#waiting.size
  }

  /** `sure`: the birth came by the connection that is open now, so it counts whatever was stored before. */
  birth(key: DeviceKey, { seq, ts, fresh }: Life, { sure, ip }: { sure: boolean; ip: string | null }) {
    const row = this.#row(key)
    Object.assign(row, { birth: true, death: false, sure: sure || fresh, seq, ts, at: row.seen_at, ip })
  }

  /** Counts if the device was born so last. */
  death(key: DeviceKey, { seq, ts }: Pick<Life, 'seq' | 'ts'>) {
    const row = this.#row(key)
    if (row.birth && (row.seq !== seq || row.ts !== ts)) return
    Object.assign(row, { death: true, seq, ts, at: row.seen_at })
  }

  /**
   * Of a device that says more than is stored meanwhile, what is too much is not taken, and so not acknowledged: it says it again. Nor is what follows on it,
   * be it small: what is said again afterwards is older, and would stand over it.
   */
  report(key: DeviceKey, { section, keys, bytes }: Report, stored: () => void) {
    const row = this.#row(key)
    if (row.reported && row.bytes + bytes > mostWaiting) this.#full.add(key.device_id)
    if (this.#full.has(key.device_id)) return
    row.bytes += bytes
    row.reported ??= {}
    row.reported[section] = wholeSections.includes(section) ? keys : { ...row.reported[section], ...keys }
    row.stored.push(stored)
  }

  /** It sent something. */
  seen(key: DeviceKey) {
    this.#row(key)
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#storing
    await this.#store().catch(() => {})
    await this.#signals.stop()
  }

  #row(key: DeviceKey): Waiting {
    const seen_at = this.#parts.clock.now()
    let row = this.#waiting.get(key.device_id)
    if (!row) {
      row = {
        ...key,
        seen_at,
        birth: false,
        death: false,
        sure: false,
        seq: null,
        ts: null,
        at: null,
        ip: null,
        reported: null,
        bytes: 0,
        stored: [],
      }
      this.#waiting.set(key.device_id, row)
    }
    row.seen_at = seen_at
    this.#wake(gather)
    return row
  }

  #wake(ms: number) {
    if (this.#storing) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#storing = this.#storeAndGoOn()
    }, ms)
  }

  async #storeAndGoOn(): Promise<void> {
    let pause = gather
    try {
      await this.#store()
      this.#unstored.worked()
    } catch (error) {
      this.#unstored.failed(error)
      pause = again
    }
    this.#storing = undefined
    if (this.#waiting.size > 0) this.#wake(pause)
  }

  async #store(): Promise<void> {
    const rows = [...this.#waiting.values()].slice(0, mostAtOnce)
    if (rows.length === 0) return
    for (const { device_id } of rows) this.#waiting.delete(device_id)
    try {
      await this.#storeRows(rows)
    } catch (error) {
      for (const row of rows) if (row.birth || row.death) this.#keep(row)
      throw error
    } finally {
      // Another row of a device may wait since: what was too much came after that.
      for (const { device_id } of rows) if (!this.#waiting.get(device_id)?.reported) this.#full.delete(device_id)
    }
  }

  /** Where the database refuses what it is given, halves are tried: one device takes no other with it, and what is its own is dropped. */
  async #storeRows(rows: readonly Waiting[]): Promise<void> {
    const { db, broker, log, stored, refused } = this.#parts
    let accounts: string[]
    try {
      accounts = await storeReports(db, broker, rows)
    } catch (error) {
      if (!isOfData(error)) throw error
      if (rows.length > 1) {
        const half = Math.ceil(rows.length / 2)
        await this.#storeRows(rows.slice(0, half))
        return this.#storeRows(rows.slice(half))
      }
      const { device_id, reported, birth, death } = rows[0]!
      log.error(
        { err: error, device_id, sections: Object.keys(reported ?? {}) },
        'what a device reports is refused by the database, and dropped'
      )
      refused()
      if (reported && (birth || death)) return this.#storeRows([{ ...rows[0]!, reported: null }])
      accounts = []
    }
    // They come again with each report, or are found by a job, so that what fails here keeps nobody's acknowledgement back. By themselves: whoever changes what is wanted
    // locks the rows the other way round.
    const failures: unknown[] = []
    for (const note of [() => noteUndone(db, rows), () => noteEsimEnded(this.#parts, rows), () => wakeRollouts(this.#parts, rows)])
      await note().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) this.#unnoted.failed(failures[0])
    else this.#unnoted.worked()
    stored(rows.length)
    for (const account_id of accounts) this.#signals.add(account_id, [account_id, deviceReported])
    for (const row of rows) for (const acknowledge of row.stored) acknowledge()
  }

  /** Whether a device is there is said once; a report without an answer is said again. */
  #keep(row: Waiting) {
    const newer = this.#waiting.get(row.device_id)
    if (!newer) this.#waiting.set(row.device_id, { ...row, reported: null, bytes: 0, stored: [] })
    else if (!newer.birth && (!newer.death || (newer.seq === row.seq && newer.ts === row.ts))) {
      const { birth, death, sure, seq, ts, at, ip } = row
      Object.assign(newer, { birth, death: death || newer.death, sure, seq, ts, at, ip })
    }
  }
}

/** Data that PostgreSQL does not take, or too much of it: the same fails each time. */
const isOfData = (error: unknown) => /^(22|23|54)/.test((error as { code?: string }).code ?? '')
