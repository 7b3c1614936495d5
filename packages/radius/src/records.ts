import { vendor3gpp } from './dictionary.ts'
import { readAddress, readInteger, readText, ipv6, ipv6prefix } from './kinds.ts'
import { location, timeZone } from './location.ts'
import type { Location } from './location.ts'
import { eachAttribute } from './packet.ts'
import type { Packet } from './packet.ts'
import { pdpTypes, ratTypes, statusTypes, terminateCauses, wordFor } from './words.ts'
import type { StatusType } from './words.ts'

/**
 * What a gateway says in a request, flat; null is what it did not say, or not readably. Of an attribute given twice the first counts.
 * Octets are whole numbers up to 2^53 − 1, and all that is more is read as that: 9 petabytes in one session is no usage, whoever counts it
 * will not believe it, and no BigInt is needed anywhere behind. `input` is what the device sent. Times are seconds, `event_timestamp` since 1970.
 */
export class RequestRecord {
  user_name: string | null = null
  nas_identifier: string | null = null
  nas_ip: string | null = null
  nas_ipv6: string | null = null
  called_station_id: string | null = null
  calling_station_id: string | null = null
  /** The digits of Calling-Station-Id when it is a telephone number. */
  msisdn: string | null = null
  framed_ip: string | null = null
  framed_ipv6_prefix: string | null = null
  imsi: string | null = null
  imeisv: string | null = null
  /** 15 digits, check digit included, from the IMEISV. */
  imei: string | null = null
  rat: string | null = null
  home_mccmnc: string | null = null
  /** Where the device is, as `262-01`: SGSN-MCC-MNC, else the network of its location. */
  visited_mccmnc: string | null = null
  user_location: Location | null = null
  time_zone_minutes: number | null = null
  sgsn_address: string | null = null
  ggsn_address: string | null = null
  charging_id: number | null = null
  nsapi: string | null = null
  pdp_type: string | null = null
  status_type: StatusType | null = null
  session_id: string | null = null
  input_octets: number | null = null
  output_octets: number | null = null
  input_packets: number | null = null
  output_packets: number | null = null
  /** Whether the gateway counts gigawords at all, be they zero: then a falling counter is not a 32-bit wrap. */
  has_gigawords: boolean = false
  session_time: number | null = null
  event_timestamp: number | null = null
  delay_time: number | null = null
  terminate_cause: string | null = null
}

/** An accounting request that says what it must. On and Off are about the gateway, all others about a session. */
export type AccountingRecord = RequestRecord &
  ({ status_type: 'start' | 'interim' | 'stop'; session_id: string } | { status_type: 'on' | 'off'; session_id: string | null })

/** Why a believed Accounting-Request cannot be counted. */
export type AccountingFault = 'unreadable number' | 'no Acct-Status-Type' | 'unknown Acct-Status-Type' | 'no Acct-Session-Id'

type Reading = {
  record: RequestRecord
  status: number | null
  input: number | null
  output: number | null
  input_gigawords: number | null
  output_gigawords: number | null
  unreadable: boolean
}

/** Reads any request (access, accounting, disconnect) in one pass. */
export function readRequest(packet: Packet): RequestRecord {
  return read(packet).record
}

/** Reads an Accounting-Request, or says in words what is wrong with it. */
export function readAccounting(packet: Packet): AccountingRecord | AccountingFault {
  const { record, status, unreadable } = read(packet)
  if (unreadable) return 'unreadable number'
  if (status === null) return 'no Acct-Status-Type'
  if (record.status_type === null) return 'unknown Acct-Status-Type'
  if (record.session_id === null && record.status_type !== 'on' && record.status_type !== 'off') return 'no Acct-Session-Id'
  return record as AccountingRecord
}

function read(packet: Packet): Reading {
  const reading: Reading = {
    record: new RequestRecord(),
    status: null,
    input: null,
    output: null,
    input_gigawords: null,
    output_gigawords: null,
    unreadable: false,
  }
  eachAttribute(packet, reading, visit)
  const { record, status } = reading
  record.status_type = status === null ? null : ((statusTypes as Record<number, StatusType>)[status] ?? null)
  record.input_octets = whole(reading.input, reading.input_gigawords)
  record.output_octets = whole(reading.output, reading.output_gigawords)
  record.has_gigawords = reading.input_gigawords !== null || reading.output_gigawords !== null
  record.msisdn = record.calling_station_id === null ? null : digits(record.calling_station_id.replace(/^\+/, ''), 5, 15)
  record.imei = record.imeisv === null ? null : imeiOf(record.imeisv)
  if (record.visited_mccmnc === null && record.user_location) {
    record.visited_mccmnc = `${record.user_location.mcc}-${record.user_location.mnc}`
  }
  return reading
}

function visit(reading: Reading, bytes: Buffer, vendor: number, type: number, from: number, to: number) {
  if (vendor === 0) visitStandard(reading, bytes, type, from, to)
  else if (vendor === vendor3gpp) visit3gpp(reading.record, bytes, type, from, to)
}

// Numbers instead of the dictionary: this runs for every attribute of every packet the meter receives. A test holds the two together.
function visitStandard(reading: Reading, bytes: Buffer, type: number, from: number, to: number) {
  const { record } = reading
  switch (type) {
    case 1:
      return void (record.user_name ??= readText(bytes, from, to) || null)
    case 4:
      return void (record.nas_ip ??= readAddress(bytes, from, to))
    case 8:
      return void (record.framed_ip ??= readAddress(bytes, from, to))
    case 30:
      return void (record.called_station_id ??= readText(bytes, from, to) || null)
    case 31:
      return void (record.calling_station_id ??= readText(bytes, from, to) || null)
    case 32:
      return void (record.nas_identifier ??= readText(bytes, from, to) || null)
    case 40:
      return void (reading.status ??= counter(reading, bytes, from, to))
    case 41:
      return void (record.delay_time ??= readInteger(bytes, from, to))
    case 42:
      return void (reading.input ??= counter(reading, bytes, from, to))
    case 43:
      return void (reading.output ??= counter(reading, bytes, from, to))
    case 44:
      return void (record.session_id ??= readText(bytes, from, to) || null)
    case 46:
      return void (record.session_time ??= counter(reading, bytes, from, to))
    case 47:
      return void (record.input_packets ??= readInteger(bytes, from, to))
    case 48:
      return void (record.output_packets ??= readInteger(bytes, from, to))
    case 49:
      return void (record.terminate_cause ??= wordOf(terminateCauses, readInteger(bytes, from, to)))
    case 52:
      return void (reading.input_gigawords ??= counter(reading, bytes, from, to))
    case 53:
      return void (reading.output_gigawords ??= counter(reading, bytes, from, to))
    case 55:
      return void (record.event_timestamp ??= readInteger(bytes, from, to))
    case 95:
      return void (record.nas_ipv6 ??= ipv6.read(bytes, from, to))
    case 97:
      return void (record.framed_ipv6_prefix ??= ipv6prefix.read(bytes, from, to))
  }
}

function visit3gpp(record: RequestRecord, bytes: Buffer, type: number, from: number, to: number) {
  switch (type) {
    case 1:
      return void (record.imsi ??= digits(readText(bytes, from, to), 6, 15))
    case 2:
      return void (record.charging_id ??= readInteger(bytes, from, to))
    case 3:
      return void (record.pdp_type ??= wordOf(pdpTypes, readInteger(bytes, from, to)))
    case 6:
      return void (record.sgsn_address ??= readAddress(bytes, from, to))
    case 7:
      return void (record.ggsn_address ??= readAddress(bytes, from, to))
    case 8:
      return void (record.home_mccmnc ??= network(digits(readText(bytes, from, to), 5, 6)))
    case 10:
      return void (record.nsapi ??= readText(bytes, from, to) || null)
    case 18:
      return void (record.visited_mccmnc ??= network(digits(readText(bytes, from, to), 5, 6)))
    case 20:
      return void (record.imeisv ??= digits(readText(bytes, from, to), 14, 16))
    case 21:
      return void (record.rat ??= to - from === 1 ? wordFor(ratTypes, bytes[from]!) : null)
    case 22:
      return void (record.user_location ??= location.read(bytes, from, to))
    case 23:
      return void (record.time_zone_minutes ??= timeZone.read(bytes, from, to))
  }
}

/** A number that usage hangs on: what cannot be read must not pass for what was not said. */
function counter(reading: Reading, bytes: Buffer, from: number, to: number): number | null {
  const value = readInteger(bytes, from, to)
  if (value === null) reading.unreadable = true
  return value
}

const whole = (octets: number | null, gigawords: number | null) =>
  octets === null && gigawords === null ? null : Math.min((octets ?? 0) + (gigawords ?? 0) * 2 ** 32, Number.MAX_SAFE_INTEGER)

const wordOf = (table: Record<number, string>, value: number | null) => (value === null ? null : wordFor(table, value))

/** MCC and MNC as one writes them: `262-01`. */
const network = (digits: string | null) => digits && `${digits.slice(0, 3)}-${digits.slice(3)}`

/** The text when it is that many digits and nothing else. */
function digits(words: string, least: number, most: number): string | null {
  if (words.length < least || words.length > most) return null
  for (let i = 0; i < words.length; i++) if (words.charCodeAt(i) < 48 || words.charCodeAt(i) > 57) return null
  return words
}

/** The IMEI behind an IMEISV: its first 14 digits and their check digit (3GPP TS 23.003 §6.2, Luhn). */
function imeiOf(imeisv: string): string {
  let sum = 0
  for (let i = 0; i < 14; i++) {
    const digit = imeisv.charCodeAt(i) - 48
    sum += i % 2 === 0 ? digit : digit < 5 ? digit * 2 : digit * 2 - 9
  }
  return imeisv.slice(0, 14) + ((10 - (sum % 10)) % 10)
}
