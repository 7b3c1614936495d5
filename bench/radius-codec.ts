// How fast one core decodes, verifies and reads accounting packets, beside a bare MD5 over the same octets in the same run.
import { hash } from 'node:crypto'
import { encodeReply, encodeRequest, requestFault } from '@masthead/radius/authenticator'
import { codes, decode } from '@masthead/radius/packet'
import type { Packet } from '@masthead/radius/packet'
import { readAccounting } from '@masthead/radius/records'

const secret = Buffer.from('testing123')
const datagrams = Array.from({ length: 1000 }, (_, i) =>
  encodeRequest(
    {
      code: codes.accounting_request,
      identifier: i % 256,
      message_authenticator: false,
      attributes: {
        user_name: `26201${String(i).padStart(10, '0')}`,
        nas_identifier: 'pgw-frankfurt',
        nas_ip: '127.0.0.2',
        framed_ip: '10.0.0.7',
        called_station_id: 'iot.example',
        calling_station_id: `49151${String(i).padStart(8, '0')}`,
        acct_status_type: 3,
        acct_session_id: `7f00000268a0c3f0${i.toString(16).padStart(8, '0')}`,
        acct_session_time: 300 + i,
        acct_input_octets: 1_000_000 + i,
        acct_output_octets: 2_000_000 + i,
        acct_input_gigawords: 0,
        acct_output_gigawords: 0,
        event_timestamp: 1_760_000_000 + i,
        imsi: `26201${String(i).padStart(10, '0')}`,
        sgsn_mccmnc: '20801',
        imeisv: '3534900698733157',
        rat_type: 6,
        user_location: { type: 'tai_ecgi', mcc: '208', mnc: '01', area: 4660, cell: 1193046 },
      },
    },
    secret
  )
)

/** Runs `work` over all packets until `seconds` are over; how often per second it ran. */
function rate(seconds: number, work: (datagram: Buffer) => unknown): number {
  const start = performance.now()
  let done = 0
  while (performance.now() - start < seconds * 1000) {
    for (const datagram of datagrams) work(datagram)
    done += datagrams.length
  }
  return Math.round(done / ((performance.now() - start) / 1000))
}

function verified(datagram: Buffer): Packet {
  const packet = decode(datagram)
  if (typeof packet === 'string' || requestFault(packet, secret) !== null) throw new Error('A good packet was refused')
  return packet
}

const measures = {
  bare_md5_per_second: (datagram: Buffer) => hash('md5', datagram, 'binary'),
  decode_verify_per_second: verified,
  decode_verify_read_per_second: (datagram: Buffer) => readAccounting(verified(datagram)),
  whole_exchange_per_second: (datagram: Buffer) => {
    const packet = verified(datagram)
    readAccounting(packet)
    return encodeReply(packet, codes.accounting_response, {}, secret)
  },
}
for (const measure of Object.values(measures)) rate(0.3, measure) // warm
const figures = Object.fromEntries(Object.entries(measures).map(([name, measure]) => [name, rate(1, measure)]))
const reference = figures.bare_md5_per_second!
const ratio = (name: string) => Math.round((figures[name]! / reference) * 1000) / 1000
console.log(
  JSON.stringify({
    bench: 'radius-codec',
    octets_per_packet: datagrams[0]!.length,
    ...figures,
    ratio_decode_verify: ratio('decode_verify_per_second'),
    ratio_decode_verify_read: ratio('decode_verify_read_per_second'),
    ratio_whole_exchange: ratio('whole_exchange_per_second'),
  })
)
