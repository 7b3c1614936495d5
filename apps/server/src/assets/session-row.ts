import { type DataSession, type DisconnectOutcome, silentAfterSeconds } from '@masthead/contract/assets/sim'
import { countryOf } from '../networks/index.ts'
import { refuserOf } from './service/index.ts'

/** A time as a column or as JSON has it. */
type RowTime = Date | string

/** A time as the wire has it: in UTC, to the millisecond. */
export const toTime = <Time extends RowTime | null>(time: Time) =>
  (time === null
    ? null
    : typeof time === 'string' && time.endsWith(utc)
      ? cutTime(time)
      : new Date(time).toISOString()) as Time extends null ? null : string

const utc = '+00:00'

/** JSON has a time to the microsecond, with no zeros at its end. A list has hundreds of times: to read each as a date takes ten times as long. */
const cutTime = (time: string) => `${time.slice(0, 19)}.${time.slice(20, -utc.length).padEnd(3, '0').slice(0, 3)}Z`

/** A data session with the names of its gateway and network. */
export type SessionRow = {
  id: string
  iccid: string
  acct_session_id: string
  gateway: string
  apn: string | null
  ip: string | null
  rat: string | null
  mccmnc: string | null
  network_name: string | null
  network_country: string | null
  imei: string | null
  cell: string | null
  started_at: RowTime
  updated_at: RowTime
  heard_at: RowTime
  ended_at: RowTime | null
  end_cause: string | null
  bytes_up: number
  bytes_down: number
  interim_seconds: number | null
  forbidden: string | null
  disconnect: DisconnectOutcome | null
}

/** A session as the wire has it. A network that is in no table still has its country. */
export const toSession = (row: SessionRow, at: Date): DataSession => ({
  id: row.id,
  iccid: row.iccid,
  acct_session_id: row.acct_session_id,
  gateway: row.gateway,
  apn: row.apn,
  ip: row.ip,
  rat: row.rat,
  network:
    row.mccmnc === null ? null : { mccmnc: row.mccmnc, name: row.network_name, country: row.network_country ?? countryOf(row.mccmnc) },
  imei: row.imei,
  cell: row.cell,
  started_at: toTime(row.started_at),
  updated_at: toTime(row.updated_at),
  ended_at: toTime(row.ended_at),
  end_cause: row.end_cause,
  silent: row.ended_at === null && at.getTime() - new Date(row.heard_at).getTime() > silentAfterSeconds(row.interim_seconds) * 1000,
  bytes_up: row.bytes_up,
  bytes_down: row.bytes_down,
  forbidden: row.forbidden,
  forbidden_by: row.forbidden === null ? null : refuserOf(row.forbidden),
  disconnect: row.disconnect,
})
