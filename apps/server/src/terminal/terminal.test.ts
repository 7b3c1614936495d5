import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { logout } from '@masthead/contract/auth/operations'
import { updateAsset } from '@masthead/contract/assets/operations'
import { createTag } from '@masthead/contract/tags/operations'
import * as ops from '@masthead/contract/terminal/operations'
import { openTerminalHouse, openWindow, soon, type TerminalHouse } from './test-terminal.ts'
import { bytesOf } from './recording/cast.ts'

let house: TerminalHouse
beforeAll(async () => {
  house = await openTerminalHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const ended = (id: string) =>
  vi.waitFor(async () => {
    const { body } = await house.owner.call(ops.getTerminal, { params: { terminal_id: id } })
    expect(body.state).toBe('ended')
    expect(body.recording).not.toBe('writing')
    return body
  }, 30_000)

async function recordingOf(id: string) {
  const answer = await house.owner.call(ops.exportRecording, { params: { terminal_id: id } })
  expect(answer.status).toBe(200)
  return answer.text
}

test('a shell on the device: keys, size, Ctrl-C, its end; the recording has what was shown and typed', async () => {
  const { id, window } = await house.open()
  await window.message('step', ({ step }) => step === 'device')
  await window.message('step', ({ step }) => step === 'shell')
  window.say({ t: 'size', cols: 101, rows: 33 })
  window.type('stty size; PS1="> "\r')
  await window.shows('33 101')
  // It says that it runs: a Ctrl-C that comes before it is the shell's foreground job breaks nothing off.
  window.type("sh -c 'echo asleep-$((40+2)); exec sleep 600' || echo broken-off\r")
  await window.shows('asleep-42')
  window.type('\x03')
  window.type('echo "grüße-$((40+2))-日本"\r')
  await window.shows('grüße-42-日本')
  window.type('exit\r')
  expect(await window.message('ended')).toMatchObject({ reason: 'shell_ended' })
  await window.closed()
  const session = await ended(id)
  expect(session).toMatchObject({ end_reason: 'shell_ended', recording: 'kept', bytes_out: window.bytes().length })
  const cast = await recordingOf(id)
  expect(JSON.parse(cast.split('\n')[0]!)).toMatchObject({ version: 2, width: 80, height: 24 })
  expect(bytesOf(cast)).toEqual(window.bytes())
  expect(cast).toContain('"r","101x33"')
  expect(cast).toContain('"i","\\u0003"')
  const names = (await house.events(house.owner.account_id)).map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('terminal.'))).toEqual([
    'terminal.terminal_opened',
    'terminal.terminal_ended',
    'terminal.recording_opened',
  ])
  await vi.waitFor(() => expect(house.agent.terminals.size()).toBe(0), 30_000)
}, 90_000)

test('random bytes are shown and recorded as the shell wrote them; the window and the device may break off meanwhile, and the size change', async () => {
  const { id, window } = await house.open()
  await window.message('step', ({ step }) => step === 'shell')
  const size = 10_000_000
  window.type(
    `stty raw -echo; head -c ${size} /dev/urandom | tee /tmp/$$.random; echo "sum-$(sha256sum < /tmp/$$.random)"; rm /tmp/$$.random; exit\r`
  )
  await vi.waitFor(() => expect(window.bytes().length).toBeGreaterThan(100_000), 40_000)
  window.say({ t: 'size', cols: 100, rows: 30 })
  house.agent.terminals.breakOff()
  await vi.waitFor(() => expect(window.bytes().length).toBeGreaterThan(500_000), 40_000)
  window.socket.terminate()
  const again = await openWindow(house.address, house.owner, id, { from: window.place() })
  expect(again.words[0]).toEqual({ t: 'from', at: window.place(), anew: false })
  await again.message('ended')
  await ended(id)
  const all = Buffer.concat([window.bytes(), again.bytes()])
  const end = all.lastIndexOf('sum-')
  const sum = createHash('sha256')
    .update(all.subarray(end - size, end))
    .digest('hex')
  expect(all.subarray(end).toString()).toContain(`sum-${sum}`)
  const recording = await recordingOf(id)
  expect(bytesOf(recording).equals(all)).toBe(true)
  expect(recording).toContain('"r","100x30"]')
}, 120_000)

test('a window that does not read holds up the device, and fills no memory', async () => {
  const { id, window } = await house.open()
  await window.message('step', ({ step }) => step === 'shell')
  const still = await openWindow(house.address, house.owner, id, { takes: false, client: 'one' })
  still.type('yes\r')
  let seen = -1
  const passed = async () => (await house.owner.call(ops.getTerminal, { params: { terminal_id: id } })).body.bytes_out
  await vi.waitFor(() => expect(still.bytes().length).toBeGreaterThan(200_000), 60_000)
  // It stands still once what may be on the way is there.
  const held = await vi.waitUntil(
    () => {
      const [before, now] = [seen, (seen = still.bytes().length)]
      return before === now && now
    },
    { timeout: 30_000, interval: 500 }
  )
  expect(held).toBeLessThan(1_000_000)
  still.say({ t: 'taken', at: still.place() })
  await vi.waitFor(() => expect(still.bytes().length).toBeGreaterThan(held), 30_000)
  expect((await house.owner.call(ops.endTerminal, { params: { terminal_id: id } })).status).toBe(200)
  expect(await still.message('ended')).toMatchObject({ reason: 'ended', by: house.owner.email })
  await ended(id)
  expect(await passed()).toBeGreaterThan(0)
}, 120_000)

test('others watch, and the keyboard is handed over', async () => {
  const { id, window } = await house.open()
  await window.message('step', ({ step }) => step === 'shell')
  const member = await house.newMember(house.owner, ['assets.view', 'terminal.open'])
  // By the name of the other window, which keeps its place.
  const other = await openWindow(house.address, member, id, { client: 'one' })
  window.type('echo seen-$((1+1))\r')
  await other.shows('seen-2')
  other.type('echo not-$((1+2))\r')
  other.say({ t: 'ask' })
  await window.message('who', ({ people }) => people.some(({ asks }) => asks))
  const own = ({ you, people }: { you: string; people: { id: string; types: boolean }[] }) =>
    people.find(({ id: client }) => client === you)!
  const who = await other.message('who')
  expect([who.people.length, own(who).types]).toEqual([2, false])
  window.say({ t: 'give', to: who.you })
  await other.message('who', (now) => own(now).types)
  other.type('echo typed-$((2+2))\r')
  await window.shows('typed-4')
  expect(window.text()).not.toContain('not-3')
  for (const [query, found] of [
    [{ person: house.owner.email.toUpperCase(), state: ['open'] }, 1],
    [{ person: member.email }, 0],
    [{ asset: house.asset_id, state: ['open'] }, 1],
  ] as const)
    expect((await house.owner.call(ops.listTerminals, { query: query as never })).body.total).toBe(found)
  other.say({ t: 'end' })
  await window.message('ended')
  await ended(id)
}, 90_000)

test('who may not: no permission, another account, another site, a key of another device; and it ends within 2 s when it is taken away', async () => {
  const { owner, address, asset_id } = house
  const { id, window } = await house.open()
  await window.message('step', ({ step }) => step === 'shell')
  const seer = await house.newMember(owner, ['assets.view'])
  const stranger = await house.newOwner()
  const limited = await house.newMember(owner, ['assets.view', 'terminal.open'], ['north'])
  for (const [person, status] of [
    [seer, 403],
    [stranger, 404],
    [limited, 404],
    [{ cookie: '' }, 401],
  ] as const)
    expect((await openWindow(address, person, id)).status()).toBe(status)
  expect((await openWindow(address, owner, id, { origin: 'https://elsewhere.example' })).status()).toBe(403)
  expect((await limited.call(ops.openTerminal, { params: { asset_id }, body: { cols: 80, rows: 24 } })).status).toBe(404)

  const member = await house.newMember(owner, ['assets.view', 'terminal.open'])
  const theirs = await house.open(member)
  await theirs.window.message('step', ({ step }) => step === 'shell')
  await house.db
    .updateTable('membership')
    .set({ permissions: ['assets.view'] })
    .where('account_id', '=', owner.account_id)
    .execute()
  expect(await soon('The end without the permission', theirs.window.message('ended'))).toMatchObject({ reason: 'not_allowed' })

  const away = await house.newMember(owner, ['assets.view', 'terminal.open'])
  const left = await house.open(away)
  await left.window.message('step', ({ step }) => step === 'shell')
  expect((await away.call(logout)).status).toBe(200)
  expect(await soon('The end with the session', left.window.message('ended'))).toMatchObject({ reason: 'not_allowed' })

  await house.db.updateTable('account').set({ suspended_at: house.clock.now() }).where('id', '=', owner.account_id).execute()
  expect(await soon('The end with the suspension', window.message('ended'))).toMatchObject({ reason: 'not_allowed' })
  const refused = await owner.call(ops.openTerminal, { params: { asset_id }, body: { cols: 80, rows: 24 } })
  expect(refused).toMatchObject({ status: 409, body: { code: 'account_suspended' } })
  await house.db.updateTable('account').set({ suspended_at: null }).where('id', '=', owner.account_id).execute()
  await ended(id)
  await vi.waitFor(() => expect(house.agent.terminals.size()).toBe(0), 30_000)
}, 90_000)

test('a tag taken from the device, or from who is limited to it, ends within 2 s what they opened, and what they watch', async () => {
  const { owner, address, asset_id } = house
  const tagged = async (tags: string[]) => (await owner.call(updateAsset, { params: { asset_id }, body: { tags } })).status
  const [north, south] = await Promise.all(
    ['north', 'south'].map(async (name) => (await owner.call(createTag, { body: { name } })).body.id)
  )
  expect(await tagged([north!])).toBe(200)
  const member = await house.newMember(owner, ['assets.view', 'terminal.open'], [north!])
  const watched = await house.open()
  await watched.window.message('step', ({ step }) => step === 'shell')
  const lose = async (how: string, change: () => Promise<unknown>) => {
    const { id, window } = await house.open(member)
    await window.message('step', ({ step }) => step === 'shell')
    const watching = await openWindow(address, member, watched.id, { client: how })
    await watching.message('who')
    await change()
    expect(await soon(`The end after a tag was taken from ${how}`, window.message('ended'))).toMatchObject({ reason: 'not_allowed' })
    await soon(`The end of watching after a tag was taken from ${how}`, watching.closed())
    await ended(id)
    expect((await openWindow(address, member, watched.id)).status()).toBe(404)
  }
  await lose('the device', () => tagged([]))
  expect(await tagged([north!])).toBe(200)
  await lose('the member', () =>
    house.db
      .updateTable('membership')
      .set({ tags: [south!] })
      .where('account_id', '=', owner.account_id)
      .execute()
  )
  // Whom it did not concern goes on.
  watched.window.type('exit\r')
  expect(await watched.window.message('ended')).toMatchObject({ reason: 'shell_ended' })
  await ended(watched.id)
}, 90_000)

test('its time is over without a key; one whose server was killed is ended by a job, and keeps its recording', async () => {
  const { id, window } = await house.open()
  await window.message('step', ({ step }) => step === 'shell')
  house.clock.advance({ minutes: 11 })
  expect(await window.message('ended')).toMatchObject({ reason: 'idle' })
  await ended(id)

  const left = `trm_${'0'.repeat(25)}z`
  const row = await house.db.selectFrom('terminal_session').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const open = { state: 'open' as const, ended_at: null, end_reason: null, recording: 'writing' as const, recording_until: null }
  await house.db
    .insertInto('terminal_session')
    .values({ ...row, ...open, id: left, held_until: new Date(house.clock.now().getTime() - 1000) })
    .execute()
  async function* half() {
    yield Buffer.from('{"version":2}\n[0.5,"o","abc"]\n[0.75,"o","grü')
  }
  await house.app.blobs.drafts.append(`terminal.${left}`, 0, half())
  const { endLeft } = await import('./tasks.ts')
  await endLeft(house.app, 0)
  expect(await ended(left)).toMatchObject({ end_reason: 'server_stopped', recording: 'kept' })
  // What was half written when it was killed is left out, and what follows says that nothing does.
  const cast = await recordingOf(left)
  expect(cast).toBe('{"version":2}\n[0.5,"o","abc"]\n[0.5,"m","The server stopped: the recording ends here"]\n')
  expect(bytesOf(cast).toString()).toBe('abc')
}, 90_000)
