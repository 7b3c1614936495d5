import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openTerminalHouse, openWindow, type TerminalHouse } from '../test-terminal.ts'
import { carry } from './test-file.ts'

let house: TerminalHouse
let folder: string
beforeAll(async () => {
  house = await openTerminalHouse()
  folder = mkdtempSync(join(tmpdir(), 'files-'))
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
async function openShell(person = house.owner) {
  const { id, window } = await house.open(person)
  await window.message('step', ({ step }) => step === 'shell')
  return { terminal: id, window, where: { address: house.address, person, terminal: id } }
}
const up = (path: string, source: Buffer, more = {}) => ({
  way: 'up' as const,
  path,
  name: 'a.bin',
  size: source.byteLength,
  replace: false,
  ...more,
})
const down = (path: string) => ({ way: 'down' as const, path, name: '', size: 0, replace: false })
const events = async (action: string) =>
  (await house.events(house.owner.account_id)).filter(({ name }) => name === `terminal.${action}`).map(({ detail }) => detail)

test('to the device and back: whole, with its checksum, also when each side breaks off meanwhile; nothing is left beside it', async () => {
  const { where, window } = await openShell()
  const source = randomBytes(12_000_001)
  const path = join(folder, 'to', 'sent.bin')
  mkdirSync(join(folder, 'to'))
  const sent = await carry(where, up(path, source), source)
  await vi.waitFor(() => expect(sent.place()).toBeGreaterThan(1_000_000), 20_000)
  house.agent.terminals.breakOffFiles()
  await vi.waitFor(() => expect(sent.place()).toBeGreaterThan(4_000_000), 20_000)
  sent.breakOff()
  await sent.goOn()
  expect(await sent.result()).toEqual({ t: 'done', path, sha256: sha(source) })
  expect(readFileSync(path).equals(source)).toBe(true)
  expect(readdirSync(join(folder, 'to'))).toEqual(['sent.bin'])

  const fetched = await carry(where, down(path))
  await vi.waitFor(() => expect(fetched.place()).toBeGreaterThan(1_000_000), 20_000)
  house.agent.terminals.breakOffFiles()
  await vi.waitFor(() => expect(fetched.place()).toBeGreaterThan(4_000_000), 20_000)
  fetched.breakOff()
  await fetched.goOn()
  expect(await fetched.result()).toEqual({ t: 'done', path, sha256: sha(source) })
  expect(fetched.got().equals(source)).toBe(true)
  const detail = { path, size: '12 MB', sha256: sha(source) }
  await vi.waitFor(async () => {
    expect(await events('file_sent')).toMatchObject([detail])
    expect(await events('file_fetched')).toMatchObject([detail])
  })
  await vi.waitFor(() => expect(house.agent.terminals.files()).toBe(0), 10_000)
  window.say({ t: 'end' })
  await window.message('ended')
}, 120_000)

test('paths are looked for where the shell is; a folder takes the name; what is there stays, unless it is to be replaced, and keeps its rights', async () => {
  const { where, window } = await openShell()
  const here = join(folder, 'here')
  mkdirSync(here)
  window.type(`cd ${here}; echo at-$((1+1))\r`)
  await window.shows('at-2')
  const source = Buffer.from('first')
  expect(await (await carry(where, up('./', source), source)).result()).toMatchObject({ t: 'done', path: join(here, 'a.bin') })
  expect(await (await carry(where, up('a.bin', source), source)).result()).toMatchObject({ t: 'over', end: 'exists' })
  writeFileSync(join(here, 'script'), 'old', { mode: 0o750 })
  symlinkSync('script', join(here, 'link'))
  const second = Buffer.from('second')
  expect(await (await carry(where, up('link', second, { replace: true }), second)).result()).toMatchObject({
    t: 'done',
    path: join(here, 'script'),
  })
  expect(readFileSync(join(here, 'link'), 'utf8')).toBe('second')
  expect(statSync(join(here, 'script')).mode & 0o777).toBe(0o750)
  const empty = await carry(where, up('empty', Buffer.alloc(0)))
  expect(await empty.result()).toMatchObject({ t: 'done' })
  const back = await carry(where, down('empty'))
  expect(await back.result()).toMatchObject({ t: 'done', sha256: sha(Buffer.alloc(0)) })
  window.say({ t: 'end' })
  await window.message('ended')
}, 60_000)

test('what is refused is said in words, and nothing of it stays', async () => {
  const { where, window } = await openShell()
  const source = Buffer.from('x')
  const ends = async (begin: Parameters<typeof carry>[1]) => {
    const said = await (await carry(where, begin, source)).result()
    return said.t === 'over' ? said.end : said.t
  }
  expect(await ends(up(join(folder, 'no', 'such', 'folder'), source))).toBe('not_there')
  expect(await ends(up('/proc/nothing', source))).toMatch(/^(no_right|not_there|no_space)$/)
  expect(await ends(down(folder))).toBe('not_a_file')
  expect(await ends(down(join(folder, 'nothing')))).toBe('not_there')
  expect(await ends(down('/dev/zero'))).toBe('not_a_file')
  expect(await ends(up(join(folder, 'much'), source, { size: 1024 ** 3 + 1 }))).toBe('not_understood')
  window.say({ t: 'end' })
  await window.message('ended')
}, 60_000)

test('only whoever types, and with all that a terminal asks for; the keyboard, the right or the session taken away ends it within 2 s', async () => {
  const { owner, address } = house
  const { where, window, terminal } = await openShell()
  const member = await house.newMember(owner, ['assets.view', 'terminal.open', 'terminal.files'])
  const seer = await house.newMember(owner, ['assets.view', 'terminal.open'])
  const stranger = await house.newOwner()
  const begin = down('/etc/hostname')
  for (const [person, status] of [
    [seer, 403],
    [stranger, 404],
    [{ cookie: '' }, 401],
  ] as const)
    expect((await carry({ ...where, person }, begin)).status()).toBe(status)
  expect((await carry({ ...where, origin: 'https://elsewhere.example' }, begin)).status()).toBe(403)
  const other = await openWindow(address, member, terminal, { client: 'two' })
  await other.message('who')
  const watching = await carry({ ...where, person: member, client: 'two' }, begin)
  expect(await watching.result()).toMatchObject({ t: 'over', end: 'watching' })

  const source = randomBytes(8_000_000)
  const stop = 300_000
  const handed = await carry(where, up(join(folder, 'slow'), source), source, stop)
  await vi.waitFor(() => expect(handed.place()).toBeGreaterThan(0), 10_000)
  const { you } = await other.message('who')
  window.say({ t: 'give', to: you })
  await vi.waitFor(async () => expect(await events('file_broken_off')).toMatchObject([{ reason: 'watching', way: 'up' }]), 10_000)
  expect(handed.place()).toBeLessThan(source.byteLength)

  const theirs = await carry({ ...where, person: member, client: 'two' }, up(join(folder, 'theirs'), source), source, stop)
  await vi.waitFor(() => expect(theirs.place()).toBeGreaterThan(0), 10_000)
  await house.db
    .updateTable('membership')
    .set({ permissions: ['assets.view'] })
    .where('account_id', '=', owner.account_id)
    .execute()
  const broken = async () => (await events('file_broken_off')).map(({ path }) => path)
  await vi.waitFor(async () => expect(await broken()).toContain(join(folder, 'theirs')), 10_000)
  await vi.waitFor(() => expect(house.agent.terminals.files()).toBe(0), 10_000)
  expect(readdirSync(folder).filter((name) => name.startsWith('.') || name.startsWith('slow') || name === 'theirs')).toEqual([])
}, 60_000)
