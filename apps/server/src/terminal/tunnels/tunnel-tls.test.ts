import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as ops from '@masthead/contract/terminal/tunnel-operations'
import { makeCertificate } from '../../devices/broker/own-certificate.ts'
import { openTerminalHouse, soon, type TerminalHouse } from '../test-terminal.ts'
import { readCertificate } from './read-certificate.ts'
import { openEcho } from './test-echo.ts'

let house: TerminalHouse
let echo: Awaited<ReturnType<typeof openEcho>>
beforeAll(async () => {
  house = await openTerminalHouse()
  echo = await openEcho()
})
afterAll(async () => {
  echo[Symbol.dispose]()
  await house[Symbol.asyncDispose]()
})

const open = () =>
  house.owner.call(ops.openTunnel, {
    params: { asset_id: house.asset_id },
    body: { port: echo.port, address: null, encrypted: true, sources: ['127.0.0.1/32'], minutes: 15 },
  })
const connections = async (id: string) => (await house.owner.call(ops.listTunnelConnections, { params: { tunnel_id: id } })).body.items

test('our port of a tunnel speaks TLS with the certificate of the server where it is asked for, and with nobody else', async () => {
  expect((await open()).body).toMatchObject({ code: 'tunnel_no_certificate' })
  const folder = await mkdtemp(join(tmpdir(), 'tunnel-'))
  const { cert, key } = makeCertificate(['localhost'], Date.now())
  const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  await Promise.all([writeFile(tls.cert, cert), writeFile(tls.key, key)])
  Object.assign(house.app.config, { tls })
  try {
    expect((await house.owner.call(ops.getTunnelRules)).body.certificate).toBe(true)
    const { body } = await open()
    expect(body.encrypted).toBe(true)
    const at = await vi.waitFor(
      async () => {
        const { reached_at } = (await house.owner.call(ops.getTunnel, { params: { tunnel_id: body.id } })).body
        expect(reached_at).toMatch(/^127\.0\.0\.1:\d+$/)
        return Number(reached_at!.split(':')[1])
      },
      { timeout: 30_000, interval: 50 }
    )
    const secured = connectTls({ host: '127.0.0.1', port: at, servername: 'localhost', ca: cert })
    const chunks: Buffer[] = []
    secured.on('error', () => {})
    secured.on('data', (chunk: Buffer) => chunks.push(chunk))
    await new Promise<void>((resolve, reject) => void secured.once('secureConnect', resolve).once('error', reject))
    const sent = randomBytes(1_000_000)
    secured.write(sent)
    await vi.waitFor(() => expect(Buffer.concat(chunks).length).toBe(sent.length), 20_000)
    expect(Buffer.concat(chunks).equals(sent)).toBe(true)
    // Who speaks no TLS is no connection of it, and reaches nothing.
    const plain = connect({ host: '127.0.0.1', port: at })
    let heard = ''
    plain.on('error', () => {})
    plain.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')))
    plain.write('hello, this is no handshake of TLS')
    await new Promise<void>((resolve) => void plain.once('close', () => resolve()))
    expect(heard).not.toContain('hello')
    const closed = new Promise<void>((resolve) => void secured.once('close', () => resolve()))
    await house.owner.call(ops.revokeTunnel, { params: { tunnel_id: body.id } })
    await soon('The end of the connection', closed)
    // Written once the connection is gone.
    await vi.waitFor(
      async () => expect((await connections(body.id)).map(({ result, bytes_in }) => [result, bytes_in])).toEqual([['cut', sent.length]]),
      20_000
    )
  } finally {
    Object.assign(house.app.config, { tls: null })
    await rm(folder, { recursive: true })
  }
}, 60_000)

test('a tunnel whose certificate cannot be read is over, and says why', async () => {
  const missing = join(tmpdir(), 'there is no certificate here')
  Object.assign(house.app.config, { tls: { cert: missing, key: missing } })
  try {
    const { id } = (await open()).body
    const check = async () => (await house.owner.call(ops.getTunnel, { params: { tunnel_id: id } })).body
    await vi.waitFor(async () => expect(await check()).toMatchObject({ state: 'ended', end_reason: 'no_certificate' }), 30_000)
    expect(await check()).toMatchObject({ reached_at: null, ended_by: null })
    expect((await house.events(house.owner.account_id)).map(({ name }) => name)).toContain('terminal.tunnel_ended')
  } finally {
    Object.assign(house.app.config, { tls: null })
  }
}, 60_000)

test('a certificate whose key is written after it, or that is half written, is read again until both fit, and for half a minute at most', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tunnel-'))
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const [old, renewed] = [makeCertificate(['localhost'], Date.now()), makeCertificate(['localhost'], Date.now())]
  await Promise.all([writeFile(files.cert, renewed.cert.slice(0, 200)), writeFile(files.key, old.key)])
  const writes = [() => Promise.resolve(), () => writeFile(files.cert, renewed.cert), () => writeFile(files.key, renewed.key)]
  let misfits = 0
  const onMisfit = () => misfits++
  await readCertificate(files, { wait: () => writes.shift()!(), onMisfit })
  expect([writes.length, misfits]).toEqual([0, 1])
  let waits = 0
  await writeFile(files.cert, old.cert)
  await expect(readCertificate(files, { wait: () => Promise.resolve(waits++) })).rejects.toThrow(/key values mismatch/)
  expect(waits).toBe(59)
  // There is nothing to wait for.
  await rm(files.key)
  await expect(readCertificate(files, { wait: () => Promise.reject(new Error('It waited')) })).rejects.toThrow(/ENOENT/)
  await rm(folder, { recursive: true })
})

test('a tunnel whose device comes while the certificate is renewed opens once both of its files are there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tunnel-'))
  const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const [old, renewed] = [makeCertificate(['localhost'], Date.now()), makeCertificate(['localhost'], Date.now())]
  await Promise.all([writeFile(tls.cert, renewed.cert), writeFile(tls.key, old.key)])
  Object.assign(house.app.config, { tls })
  const warn = vi.spyOn(house.app.log, 'warn')
  try {
    const { id } = (await open()).body
    const row = () => house.db.selectFrom('tunnel').select(['state', 'held_until']).where('id', '=', id).executeTakeFirstOrThrow()
    // Both files have been read, and do not fit.
    await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(expect.objectContaining({ tunnel: id }), expect.any(String)), 30_000)
    const { state, held_until } = await row()
    expect(state).toBe('waiting')
    // It is held meanwhile, so that its device is not notified of it again.
    house.clock.advance({ seconds: 9 })
    await vi.waitFor(async () => expect((await row()).held_until!.getTime()).toBeGreaterThan(held_until!.getTime()), 20_000)
    await writeFile(tls.key, renewed.key)
    await vi.waitFor(async () => expect((await row()).state).toBe('open'), 30_000)
    await house.owner.call(ops.revokeTunnel, { params: { tunnel_id: id } })
  } finally {
    warn.mockRestore()
    Object.assign(house.app.config, { tls: null })
    await rm(folder, { recursive: true })
  }
}, 60_000)
