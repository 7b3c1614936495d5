import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runAgent, TestServer } from '../test-server.ts'
import { TestPrograms } from './test-programs.ts'
import { network } from './test-wanted.ts'

const noEngine = '/nonexistent/engine'
const apnOf = (name: string) => ({ name, user: null, password: 'very-secret' })
const polled = { timeout: 20_000 }

test('what cannot be put back keeps nothing else as it was tried, and is put back later', async () => {
  using programs = new TestPrograms()
  await using server = await new TestServer().start()
  server.isReached = () => programs.get('u-gsm', 'gsm.apn') === 'super'
  await using _run = runAgent(server, noEngine)
  const [before, other] = ['8931082017004430677 enabled', '8931440400002815534 enabled']
  await expect.poll(() => server.lastNetwork()?.esim?.profiles.length, polled).toBe(2)
  const wanted = { generation: 2, priority: ['eth0', 'wwan0'], apn: apnOf('nowhere'), profile: '8931440400002815534' }
  await server.want(2, [], network(wanted))
  await expect.poll(() => programs.profiles()[1], polled).toBe(other)
  programs.fail('enable', 'The modem is busy')
  await expect.poll(() => programs.get('u-gsm', 'gsm.apn'), polled).toBe('super')
  await expect.poll(() => programs.get('u-eth', 'ipv4.route-metric'), polled).toBe('-1')
  // Twice for each: what is as before is left alone from then on.
  await expect.poll(() => programs.times('reapply'), polled).toBe(4)
  const times = programs.times('profile enable')
  await expect.poll(() => programs.times('profile enable'), polled).toBeGreaterThan(times + 1)
  expect(programs.times('reapply')).toBe(4)
  expect([programs.profiles()[1], server.lastNetwork()!.change!.state]).toEqual([other, 'trial'])
  programs.fail('enable', undefined)
  await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 2, state: 'undone' })
  expect(programs.profiles()[0]).toBe(before)
})

test('another profile that loses the server is undone in its time, whatever the modem does meanwhile', async () => {
  using programs = new TestPrograms()
  await using server = await new TestServer().start()
  const [before, other] = ['8931082017004430677 enabled', '8931440400002815534 enabled']
  server.isReached = () => programs.profiles()[0] === before
  await using _run = runAgent(server, noEngine)
  // Its provider cannot be notified, and this is not waited for.
  programs.hang('notification')
  await server.want(2, [], network({ generation: 2, apn: apnOf('nowhere'), profile: '8931440400002815534' }))
  await expect.poll(() => programs.profiles()[1], polled).toBe(other)
  programs.hang('enable')
  await expect.poll(() => programs.hanging(), polled).toBeTruthy()
  // The APN is there before the profile that connects with it.
  expect(programs.get('u-gsm', 'gsm.apn')).toBe('super')
  expect(programs.profiles()[1]).toBe(other)
  programs.goOn('enable')
  await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 2, state: 'undone' })
  await expect.poll(() => server.lastNetwork()?.esim?.profiles[0], polled).toMatchObject({ iccid: '8931082017004430677', enabled: true })
  await expect.poll(() => programs.times('notification'), polled).toBe(1)
  programs.goOn('notification')
})

test('where nothing can be written any more a change that loses the server is undone all the same', async () => {
  using programs = new TestPrograms()
  await using server = await new TestServer().start()
  server.isReached = () => programs.get('u-gsm', 'gsm.apn') === 'super'
  await using run = runAgent(server, noEngine)
  await server.want(2, [], network({ generation: 2, apn: apnOf('nowhere') }))
  await expect.poll(() => programs.get('u-gsm', 'gsm.apn'), polled).toBe('nowhere')
  mkdirSync(join(run.folder, 'network.json.new'))
  await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 2, state: 'undone' })
  expect(programs.get('u-gsm', 'gsm.apn')).toBe('super')
  const times = programs.asked().length
  await server.command({ id: 'cmd_1', do: 'scan' })
  await expect.poll(() => server.lastNetwork()?.wifi?.scanned_at, polled).toBeTruthy()
  expect(programs.asked()).toHaveLength(times)
})

test('a profile that is put back before something else can be is read anew, and its provider notified, once all is as before', async () => {
  using programs = new TestPrograms()
  await using server = await new TestServer().start()
  const [before, other] = ['8931082017004430677 enabled', '8931440400002815534 enabled']
  server.isReached = () => programs.profiles()[0] === before
  const first = runAgent(server, noEngine, { trialLasts: 600_000 })
  await server.want(2, [], network({ generation: 2, apn: apnOf('nowhere'), profile: '8931440400002815534' }))
  await expect.poll(() => programs.profiles()[1], polled).toBe(other)
  await first.agent.stop()
  programs.fail('modify', 'The manager is busy')
  await using _second = runAgent(server, noEngine, { folder: first.folder })
  await expect.poll(() => programs.profiles()[0], polled).toBe(before)
  // What is put back already is not put back once more.
  const times = programs.times('modify')
  await expect.poll(() => programs.times('modify'), polled).toBeGreaterThan(times)
  expect([programs.get('u-gsm', 'gsm.apn'), programs.times('profile enable')]).toEqual(['nowhere', 2])
  programs.fail('modify', undefined)
  await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 2, state: 'undone' })
  expect(programs.get('u-gsm', 'gsm.apn')).toBe('super')
  await expect.poll(() => programs.times('notification'), polled).toBe(1)
})
