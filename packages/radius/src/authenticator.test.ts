import fc from 'fast-check'
import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { encodeReply, encodeRequest, replyFault, requestFault, signRequest } from './authenticator.ts'
import type { Request } from './authenticator.ts'
import { codes, decode, encode } from './packet.ts'
import type { Code, Packet } from './packet.ts'
import { RadiusError } from './radius-error.ts'

const secret = Buffer.from('testing123')
const other = Buffer.from('testing124')

function packet(bytes: Buffer): Packet {
  const decoded = decode(bytes)
  if (typeof decoded === 'string') throw new Error(decoded)
  return decoded
}
const request = (code: Request['code'], rest: Partial<Request> = {}, key = secret) =>
  packet(
    encodeRequest({ code, identifier: 1, attributes: { user_name: 'x', proxy_state: [Buffer.from('p'), Buffer.from('q')] }, ...rest }, key)
  )

const requests = [codes.access_request, codes.accounting_request, codes.status_server, codes.disconnect_request, codes.coa_request] as const

describe.each(requests)('a request of code %i', (code) => {
  test('is believed with the secret, and with no other', () => {
    expect(requestFault(request(code), secret)).toBeNull()
    expect(requestFault(request(code), other)).not.toBeNull()
  })

  test('has its Message-Authenticator first', () => {
    expect(request(code).attributes[0]!.type).toBe(80)
  })

  test('is not believed with any bit changed', () => {
    const { bytes } = request(code)
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const forged = Buffer.from(bytes)
        forged[bit >> 3]! ^= 1 << (bit & 7)
        const decoded = decode(forged)
        return typeof decoded === 'string' || requestFault(decoded, secret) !== null || decoded.code !== code
      })
    )
  })
})

test('an Access-Request without Message-Authenticator cannot be believed', () => {
  expect(requestFault(request(codes.access_request, { message_authenticator: false }), secret)).toBe('no Message-Authenticator')
})

test('a Status-Server without Message-Authenticator cannot be believed', () => {
  expect(requestFault(request(codes.status_server, { message_authenticator: false }), secret)).toBe('no Message-Authenticator')
})

test('an Accounting-Request may do without, but not with a wrong one', () => {
  expect(requestFault(request(codes.accounting_request, { message_authenticator: false }), secret)).toBeNull()
  const bytes = encode({ code: 4, identifier: 1, attributes: { user_name: 'x', message_authenticator: Buffer.alloc(16, 1) } })
  signRequest(bytes, 0, secret)
  expect(requestFault(packet(bytes), secret)).toBe('wrong Message-Authenticator')
})

test('the hashes are those of the RFCs', () => {
  const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest()
  const { bytes, messageAuthenticatorAt: at } = request(codes.accounting_request)
  const [zeroed, blank] = [
    Buffer.from(bytes).fill(0, 4, 20),
    Buffer.from(bytes)
      .fill(0, 4, 20)
      .fill(0, at, at + 16),
  ]
  expect(bytes.subarray(4, 20)).toEqual(md5(zeroed, secret))
  expect(bytes.subarray(at, at + 16)).toEqual(createHmac('md5', secret).update(blank).digest())
})

test('a secret longer than a block of MD5 works like any other', () => {
  const long = Buffer.alloc(200, 'k')
  const { bytes, messageAuthenticatorAt: at } = request(codes.access_request, {}, long)
  expect(bytes.subarray(at, at + 16)).toEqual(
    createHmac('md5', long)
      .update(Buffer.from(bytes).fill(0, at, at + 16))
      .digest()
  )
  expect(requestFault(packet(bytes), long)).toBeNull()
})

test.each([0, 1025])('a secret of %i octets is refused', (length) => {
  expect(() => request(codes.accounting_request, {}, Buffer.alloc(length))).toThrow(RadiusError)
})

const pairs: [Request['code'], Code][] = [
  [codes.access_request, codes.access_accept],
  [codes.access_request, codes.access_reject],
  [codes.accounting_request, codes.accounting_response],
  [codes.status_server, codes.access_accept],
  [codes.status_server, codes.accounting_response],
  [codes.disconnect_request, codes.disconnect_ack],
  [codes.disconnect_request, codes.disconnect_nak],
  [codes.coa_request, codes.coa_ack],
  [codes.coa_request, codes.coa_nak],
]

describe.each(pairs)('to a request of code %i a reply of code %i', (code, replyCode) => {
  const asked = request(code)
  const reply = packet(encodeReply(asked, replyCode, { reply_message: 'so', error_cause: 503 }, secret))

  test('begins with Message-Authenticator and ends with the Proxy-States in order', () => {
    expect(reply.attributes.map(({ type }) => type)).toEqual([80, 18, 101, 33, 33])
    expect(reply.attributes.slice(3).map(({ value }) => value.toString())).toEqual(['p', 'q'])
    expect(reply.identifier).toBe(asked.identifier)
  })

  test('is believed as the answer to that request alone', () => {
    expect(replyFault(reply, asked.authenticator, secret, code)).toBeNull()
    expect(replyFault(reply, asked.authenticator, other, code)).toBe('wrong authenticator')
    expect(replyFault(reply, Buffer.alloc(16, 9), secret, code)).toBe('wrong authenticator')
  })

  test('its hashes are those of the RFCs', () => {
    const before = Buffer.from(reply.bytes)
    asked.authenticator.copy(before, 4)
    expect(reply.authenticator).toEqual(createHash('md5').update(before).update(secret).digest())
    if (replyCode === codes.accounting_response && code !== codes.status_server) before.fill(0, 4, 20) // as FreeRADIUS has it
    const hmac = createHmac('md5', secret)
      .update(before.fill(0, 22, 38))
      .digest()
    expect(reply.bytes.subarray(22, 38)).toEqual(hmac)
  })
})

const replyTo = (proxy_state: Buffer[], words: string) => {
  const asked = request(codes.accounting_request, { attributes: { proxy_state }, message_authenticator: false })
  const { attributes } = packet(encodeReply(asked, codes.accounting_response, { reply_message: words }, secret))
  const valuesOf = (wanted: number) => attributes.flatMap(({ type, value }) => (type === wanted ? [Buffer.from(value)] : []))
  return { states: valuesOf(33), words: valuesOf(18).join('') }
}

test.each([9, 15])('%i Proxy-States come back unmodified and in order', (many) => {
  const states = Array.from({ length: many }, (_, i) => Buffer.alloc(i === 3 ? 1 : 200, i + 1))
  expect(replyTo(states, 'so')).toEqual({ states, words: 'so' })
})

test('a request full of Proxy-States gets a reply with all of them: words make room', () => {
  const states = Array.from({ length: 15 }, (_, i) => Buffer.alloc(253, i + 1))
  expect(replyTo(states, 'x'.repeat(253))).toEqual({ states, words: '' })
})

test('one of nothing but Proxy-States, which leaves no room for a signature, gets those that fit', () => {
  const states = Array.from({ length: 16 }, (_, i) => Buffer.alloc(i < 15 ? 253 : 249, i + 1))
  expect(replyTo(states, 'x')).toEqual({ states: states.slice(0, 15), words: '' })
})

test('a reply with a good authenticator and a wrong Message-Authenticator is not believed', () => {
  const asked = request(codes.access_request)
  const bytes = encode({
    code: 2,
    identifier: 1,
    authenticator: asked.authenticator,
    attributes: { message_authenticator: Buffer.alloc(16) },
  })
  createHash('md5').update(bytes).update(secret).digest().copy(bytes, 4)
  expect(replyFault(packet(bytes), asked.authenticator, secret)).toBe('wrong Message-Authenticator')
})
