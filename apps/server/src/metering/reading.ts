import type { OnNetwork } from '@masthead/contract/network-groups/rules'
import type { AccountingRecord, RequestRecord } from '@masthead/radius/records'
import type { SessionPacket } from './sessions/session-rules.ts'

/** Who is meant, in the order of trust. */
export type Identity = { imsi: string | null; msisdn: string | null; user_name: string | null }

/** What any feed says, whatever it is about. `received_at` is milliseconds since 1970. */
type Report = Omit<SessionPacket, 'kind'> &
  Identity & {
    /** With `gateway_id` and `acct_session_id`: the session's key. */
    nas: string
    /** What earlier versions called it, which did not read NAS-IPv6-Address. */
    nas_before?: string
    /** `on` and `off` may have none: then it is empty. */
    acct_session_id: string
    gateway_id: string
    /** The address of the gateway that it came from. */
    heard_from: string | null
    apn: string | null
    ip: string | null
    rat: string | null
    mccmnc: string | null
    imei: string | null
    cell: string | null
  }

/** One report of a feed about one session. */
export type SessionReading = Report & { kind: SessionPacket['kind'] }
/** One about all sessions of a gateway. */
export type GatewayReading = Report & { kind: 'on' | 'off' }
/** The entry to the ingest, whatever the feed. */
export type Reading = SessionReading | GatewayReading

export const isOfSession = (reading: Reading): reading is SessionReading => reading.kind !== 'on' && reading.kind !== 'off'

/** How far ahead of us a gateway's clock may be, in milliseconds: usage of the future would go to a period that has not begun. */
const mostAhead = 5 * 60_000
/** A clock that was never set says 1970 or 2000, and no packet waits for years. */
const clockWasSet = Date.UTC(2010, 0)

/**
 * Whether a packet says when it happened. One that does not is, sent again, of a later time. A clock that is wrong says nothing either: what
 * is sent again by one far ahead would seem to have begun after what came between.
 */
function isTimed({ event_timestamp }: RequestRecord, received_at: number): boolean {
  const at = (event_timestamp ?? 0) * 1000
  return at >= clockWasSet && at <= received_at + mostAhead
}

/** When it happened: Event-Timestamp, else arrival less Acct-Delay-Time. Milliseconds. */
function eventTime(record: RequestRecord, received_at: number): number {
  const at = isTimed(record, received_at) ? record.event_timestamp! * 1000 : received_at - (record.delay_time ?? 0) * 1000
  return at < clockWasSet ? received_at : at
}

/** How long a session has lasted. One that began before any clock was set says nothing: 2^32 − 1 is what some say who do not know. */
const sessionTime = ({ session_time }: RequestRecord, event_at: number) =>
  session_time !== null && event_at - session_time * 1000 < clockWasSet ? null : session_time

/** The part of the session key that names the gateway. */
function nasOf({ nas_identifier, nas_ip, nas_ipv6 }: RequestRecord, address: string): Pick<Report, 'nas' | 'nas_before'> {
  const nas = nas_identifier ?? nas_ip ?? nas_ipv6 ?? address
  return nas_identifier === null && nas_ip === null && nas_ipv6 !== null ? { nas, nas_before: address } : { nas }
}

/** What an Access-Request says: who asks, in which device, from which network and by which gateway. */
export type AccessRequest = Identity & OnNetwork & { imei: string | null; gateway: string }
export const accessRequestOf = (
  { imsi, msisdn, user_name, imei, visited_mccmnc: mccmnc, rat }: RequestRecord,
  gateway: string
): AccessRequest => ({ imsi, msisdn, user_name, imei, mccmnc, rat, gateway })

/** An accounting record of RADIUS as a reading. */
export function readingOf(record: AccountingRecord, gateway: { id: string; address: string }, received_at: number): Reading {
  const event_at = eventTime(record, received_at)
  return {
    kind: record.status_type,
    ...nasOf(record, gateway.address),
    acct_session_id: record.session_id ?? '',
    gateway_id: gateway.id,
    heard_from: gateway.address,
    imsi: record.imsi,
    msisdn: record.msisdn,
    user_name: record.user_name,
    event_at,
    is_timed: isTimed(record, received_at),
    received_at,
    session_time: sessionTime(record, event_at),
    counter_up: record.input_octets,
    counter_down: record.output_octets,
    has_gigawords: record.has_gigawords,
    end_cause: record.status_type === 'stop' ? causeInWords(record.terminate_cause) : null,
    apn: record.called_station_id,
    ip: record.framed_ip ?? record.framed_ipv6_prefix,
    rat: record.rat,
    mccmnc: record.visited_mccmnc,
    imei: record.imei,
    cell: cellOf(record),
  }
}

const untold = 'Ended by the network'
/** What gateways say of a session that they were asked to end, or nothing. */
export const causesOfCuts: ReadonlySet<string> = new Set(['Admin reset', 'Gateway request', untold])

/** `User-Request` as people say it: "User request". */
const causeInWords = (cause: string | null): string => {
  if (!cause) return untold
  if (cause === 'NAS-Request' || cause === 'NAS-Error' || cause === 'NAS-Reboot') return `Gateway ${cause.slice(4).toLowerCase()}`
  return cause[0] + cause.slice(1).toLowerCase().replaceAll('-', ' ')
}

/** Where the device is, as `mcc-mnc-area-cell`; what is not reported is left out. */
function cellOf({ user_location: at }: RequestRecord): string | null {
  if (!at) return null
  let words = `${at.mcc}-${at.mnc}`
  if (at.area !== null) words += `-${at.area}`
  return at.cell === null ? words : `${words}-${at.cell}`
}

/** The UTC day of a time in milliseconds, as `2026-11-24`. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
