import { signRequest } from '@masthead/radius/authenticator'
import type { Attributes } from '@masthead/radius/dictionary'
import { dictionary } from '@masthead/radius/dictionary'
import { codes, decode, eachAttribute, encode } from '@masthead/radius/packet'

export type LoadStatus = 'start' | 'interim' | 'stop'

/** What differs from packet to packet. `session_id` has 16 characters. */
export type LoadPacket = {
  status: LoadStatus
  session_id: string
  imsi: string
  msisdn: string
  input: number
  output: number
  session_time: number
  event_timestamp: number
}

const patched = [
  'imsi',
  'calling_station_id',
  'acct_session_id',
  'acct_session_time',
  'acct_input_octets',
  'acct_output_octets',
  'acct_input_gigawords',
  'acct_output_gigawords',
  'event_timestamp',
] as const
type Template = { bytes: Buffer; at: Record<(typeof patched)[number], number> }

const statusNumbers = { start: 1, stop: 2, interim: 3 }

/** Makes Accounting-Requests as fast as can be: copies one that is encoded already, and writes over what differs. */
export function packetMaker(gateway: { name: string; address: string }, secret: Buffer) {
  const templates = new Map<string, Template>()

  function templateFor({ status, imsi, msisdn }: LoadPacket): Template {
    const key = `${status} ${imsi.length} ${msisdn.length}`
    let template = templates.get(key)
    if (!template) templates.set(key, (template = makeTemplate(status, imsi, msisdn)))
    return template
  }

  function makeTemplate(status: LoadStatus, imsi: string, msisdn: string): Template {
    const attributes: Attributes = {
      acct_status_type: statusNumbers[status],
      acct_session_id: '0'.repeat(16),
      nas_identifier: gateway.name,
      nas_ip: gateway.address,
      framed_ip: '10.9.9.9',
      called_station_id: 'iot.example',
      ...(msisdn !== '' && { calling_station_id: msisdn }),
      acct_session_time: 0,
      acct_input_octets: 0,
      acct_output_octets: 0,
      acct_input_gigawords: 0,
      acct_output_gigawords: 0,
      event_timestamp: 0,
      ...(status === 'stop' && { acct_terminate_cause: 1 }),
      imsi,
      sgsn_mccmnc: '26201',
      imeisv: '3534900698733101',
      rat_type: 6,
    }
    const bytes = encode({ code: codes.accounting_request, identifier: 0, attributes })
    const packet = decode(bytes)
    if (typeof packet === 'string') throw new Error(packet)
    const places = new Map<string, number>()
    eachAttribute(packet, places, (found, _, vendor, type, from) => found.set(`${vendor}.${type}`, from))
    const at = Object.fromEntries(patched.map((name) => [name, places.get(`${dictionary[name].vendor}.${dictionary[name].type}`) ?? 0]))
    return { bytes, at: at as Template['at'] }
  }

  return (packet: LoadPacket, identifier: number): Buffer => {
    const { bytes: template, at } = templateFor(packet)
    const bytes = Buffer.allocUnsafe(template.length)
    template.copy(bytes)
    bytes[1] = identifier
    bytes.write(packet.imsi, at.imsi, 'latin1')
    if (packet.msisdn !== '') bytes.write(packet.msisdn, at.calling_station_id, 'latin1')
    bytes.write(packet.session_id, at.acct_session_id, 'latin1')
    bytes.writeUInt32BE(packet.session_time, at.acct_session_time)
    bytes.writeUInt32BE(packet.input % 2 ** 32, at.acct_input_octets)
    bytes.writeUInt32BE(packet.output % 2 ** 32, at.acct_output_octets)
    bytes.writeUInt32BE(Math.floor(packet.input / 2 ** 32), at.acct_input_gigawords)
    bytes.writeUInt32BE(Math.floor(packet.output / 2 ** 32), at.acct_output_gigawords)
    bytes.writeUInt32BE(packet.event_timestamp, at.event_timestamp)
    signRequest(bytes, 0, secret)
    return bytes
  }
}
