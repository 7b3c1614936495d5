import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'

const dir = mkdtempSync(join(tmpdir(), 'pack-terminals-'))
afterAll(() => rmSync(dir, { recursive: true }))
const [root, out, fetched] = [join(dir, 'root'), join(dir, 'out'), join(dir, 'fetched.tgz')]
const [own, other] = process.arch === 'arm64' ? ['linux-arm64', 'linux-x64'] : ['linux-x64', 'linux-arm64']

const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
beforeEach(() => {
  for (const each of [root, out]) rmSync(each, { recursive: true, force: true })
  mkdirSync(out)
  write(join(root, 'node_modules/@lydell/node-pty/index.js'), 'of all')
  write(join(root, `node_modules/@lydell/node-pty-${own}/pty.node`), 'own')
  write(join(dir, 'package/pty.node'), 'other')
  execFileSync('tar', ['-czf', fetched, '-C', dir, 'package'])
})
const lock = (integrity: string) =>
  write(
    join(root, 'package-lock.json'),
    JSON.stringify({ packages: { [`node_modules/@lydell/node-pty-${other}`]: { version: '1.1.0', integrity } } })
  )
const sumOf = (path: string) => `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`

/** Packs for all kinds, with a registry that has this file, or none. Answers what was said, beginning with what was asked for. */
function pack(file: string | null): string {
  const from = new URL('./pack-terminals.mjs', import.meta.url).href
  const program = `
    import { copyFileSync } from 'node:fs'
    import { packTerminals } from ${JSON.stringify(from)}
    const file = ${JSON.stringify(file)}
    const fetch = (root, spec, into) => {
      console.log(spec)
      if (file !== null) copyFileSync(file, into + '/package.tgz')
    }
    packTerminals(${JSON.stringify(root)}, ${JSON.stringify(out)}, { others: true, fetch })`
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
}
const read = (kind: string, file: string) =>
  execFileSync('tar', ['-xzOf', join(out, `terminal-${kind}.tgz`), `node_modules/@lydell/${file}`], { encoding: 'utf8' })

test('devices of each kind get what a terminal needs from here: that of another processor comes from the registry, as the lock names it', () => {
  lock(sumOf(fetched))
  expect(pack(fetched)).toBe(`@lydell/node-pty-${other}@1.1.0\n`)
  for (const [kind, text] of [
    [own, 'own'],
    [other, 'other'],
  ] as const)
    expect([read(kind, 'node-pty/index.js'), read(kind, `node-pty-${kind}/pty.node`)]).toEqual(['of all', text])
})

test('what is not what the lock names, or does not come, is not packed, and it is said', () => {
  lock(sumOf(join(dir, 'package/pty.node')))
  expect(pack(fetched)).toContain(`Devices of the kind ${other} take what a terminal needs from npm: what came from`)
  expect(readdirSync(out)).toEqual([`terminal-${own}.tgz`])
  expect(pack(null)).toContain('it did not come from the registry')
  expect(readdirSync(out)).toEqual([`terminal-${own}.tgz`])
})

test('a registry that never answers is waited for only so long', () => {
  // As npm where packets are dropped: it waits for a connection, and does not end when it is asked to.
  const [bin, asked] = [join(dir, 'bin'), join(dir, 'asked')]
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\ntrap '' TERM\necho "$@" > ${asked}\nexec sleep 600\n`, { mode: 0o755 })
  const from = new URL('./pack-terminals.mjs', import.meta.url).href
  const program = `
    import { fetchPackage } from ${JSON.stringify(from)}
    fetchPackage(${JSON.stringify(dir)}, '@lydell/node-pty-${other}@1.1.0', ${JSON.stringify(out)}, 3000)`
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  execFileSync(process.execPath, ['--input-type=module', '-e', program], { env })
  expect(readFileSync(asked, 'utf8')).toContain(`pack @lydell/node-pty-${other}@1.1.0`)
  expect(readdirSync(out)).toEqual([])
}, 60_000)
