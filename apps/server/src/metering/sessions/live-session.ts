import { newId } from '@masthead/contract/kernel/id'
import type { LastCharge } from '../../billing/rating/index.ts'
import type { DisconnectAnswer } from '../disconnect/ask-to-disconnect.ts'
import type { SessionReading } from '../reading.ts'
import type { KeptSession } from './session-rules.ts'

/** `asked`: it has not answered yet. */
export type CutAnswer = DisconnectAnswer['answer'] | 'asked'

/** A session during a batch. `write` says whether its row is new, changed, or as it was. */
export type LiveSession = {
  account_id: string
  id: string
  sim_id: string
  asset_id: string
  kept: KeptSession
  /** The IMSI that its first packet named; null where that named none, or one that staff matched to its SIM. */
  imsi: string | null
  rat: string | null
  mccmnc: string | null
  imei: string | null
  cell: string | null
  ip: string | null
  /** The gateway's address that the newest packet came from. */
  heard_from: string | null
  /** What the gateway said when we asked it to end the session; null when we did not. */
  cut: CutAnswer | null
  /** When a packet last had it asked. */
  cut_asked_at: number | null
  /** Why its SIM's group does not allow where it is, in words. */
  forbidden: string | null
  superseded: boolean
  /** Of the row that this was read from or written to. */
  revision: number
  /** In this batch. `change`: more than its counters. */
  write: 'insert' | 'move' | 'change' | null
  /** Its SIM has a counter for certain. */
  counted: boolean
  /** What it was charged for last; null where that is not known. */
  charged: LastCharge | null
}

type OfAsset = Pick<LiveSession, 'account_id' | 'sim_id' | 'asset_id'>

export const newSession = ({ account_id, sim_id, asset_id }: OfAsset, reading: SessionReading, kept: KeptSession): LiveSession => ({
  account_id,
  id: newId('session', reading.received_at),
  sim_id,
  asset_id,
  kept,
  imsi: reading.is_matched ? null : reading.imsi,
  rat: reading.rat,
  mccmnc: reading.mccmnc,
  imei: reading.imei,
  cell: reading.cell,
  ip: reading.ip,
  heard_from: reading.heard_from ?? null,
  cut: null,
  cut_asked_at: null,
  forbidden: null,
  superseded: false,
  revision: 0,
  write: 'insert',
  counted: false,
  charged: null,
})
