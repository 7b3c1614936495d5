import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { ReportedNetwork } from '@masthead/contract/devices/network/reported'
import { runAgent, TestServer } from '../test-server.ts'
import { TestPrograms } from './test-programs.ts'
import { network } from './test-wanted.ts'

const noEngine = '/nonexistent/engine'
const apnOf = (name: string) => ({ name, user: null, password: 'very-secret' })
const polled = { timeout: 20_000 }

test('it sets the order and the APN by nmcli, keeps them once the server is reached, and says what it found', async () => {
  using programs = new TestPrograms()
  await using server = await new TestServer().start()
  await using _run = runAgent(server, noEngine)
  await expect
    .poll(() => server.lastNetwork()?.modem, polled)
    .toMatchObject({ model: 'EG25-G', operator: 'KPN', signal_pct: 67, lock: null })
  expect(server.lastNetwork()).toMatchObject({
    words: null,
    manager: 'NetworkManager 1.42.4',
    apn: { name: 'super', user: 'who', has_password: true },
    change: null,
  })
  expect(programs.asked()).toEqual([])

  await server.want(2, [], network({ generation: 2, priority: ['wwan0', 'wlan0', 'eth0'], apn: apnOf('iot.example') }))
  await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 2, state: 'kept' })
  expect(server.lastNetwork()!.change!.words).toContain('wlan0')
  expect(programs.asked()).toEqual([
    'nmcli connection modify uuid u-gsm ipv4.route-metric 100 ipv6.route-metric 100',
    'nmcli device reapply cdc-wdm0',
    'nmcli connection modify uuid u-eth ipv4.route-metric 300 ipv6.route-metric 300',
    'nmcli device reapply eth0',
    'nmcli connection modify uuid u-gsm gsm.apn iot.example gsm.username  gsm.password very-secret',
    expect.stringMatching(/^nmcli --wait \d+ connection up uuid u-gsm$/),
  ])
  await expect.poll(() => server.lastNetwork()?.apn, polled).toEqual({ name: 'iot.example', user: null, has_password: true })
  expect(JSON.stringify(server.heard)).not.toContain('very-secret')
  // What somebody changes on the device is set right again.
  programs.set('u-eth', 'ipv4.route-metric', '5')
  await server.want(3, [], network({ generation: 3, priority: ['wwan0', 'eth0'] }))
  await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 3, state: 'kept' })
  expect(programs.get('u-eth', 'ipv4.route-metric')).toBe('200')
})

test('a change that loses the server is undone by itself, reported, and not tried again until something else is wanted', async () => {
  using programs = new TestPrograms()
  await using server = await new TestServer().start()
  server.isReached = () => programs.get('u-gsm', 'gsm.apn') === 'super'
  await using run = runAgent(server, noEngine)
  await server.want(2, [], network({ generation: 2, apn: apnOf('nowhere') }))
  await expect.poll(() => programs.get('u-gsm', 'gsm.apn'), polled).toBe('nowhere')
  await expect.poll(() => server.lastNetwork()?.change?.state, polled).toBe('trial')
  await expect
    .poll(() => server.lastNetwork()?.change, polled)
    .toMatchObject({ generation: 2, state: 'undone', words: 'The server was not reached with it' })
  expect(programs.get('u-gsm', 'gsm.apn')).toBe('super')
  expect(programs.get('u-gsm', 'gsm.username')).toBe('who')
  expect(programs.get('u-gsm', 'gsm.password')).toBe('before')
  const { trial } = JSON.parse(readFileSync(join(run.folder, 'network.json'), 'utf8')) as { trial: unknown }
  expect(trial).toBeNull()
  const times = programs.asked().length
  await server.want(3, [], network({ generation: 2, apn: apnOf('nowhere') }))
  await expect.poll(() => server.lastReport()?.revision, polled).toBe(3)
  expect(programs.asked()).toHaveLength(times)
  await server.want(4, [], network({ generation: 4, priority: ['eth0'] }))
  await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 4, state: 'kept' })
})

test('what NetworkManager refuses is undone and reported in its words; an undoing that fails goes on until it is done', async () => {
  using programs = new TestPrograms()
  await using server = await new TestServer().start()
  await using _run = runAgent(server, noEngine)
  programs.fail('up', `Connection activation failed: no network with this APN\nHint: use 'journalctl' to get more details.`)
  await server.want(2, [], network({ generation: 2, apn: apnOf('odd') }))
  await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 2, state: 'failed' })
  expect(server.lastNetwork()!.change!.words).toContain('Connection activation failed: no network with this APN')
  expect(server.lastNetwork()!.change!.words).not.toContain('Hint')
  expect(programs.get('u-gsm', 'gsm.apn')).toBe('super')
  programs.fail('up', undefined)

  server.isReached = () => programs.get('u-gsm', 'gsm.apn') === 'super'
  await server.want(3, [], network({ generation: 3, apn: apnOf('nowhere') }))
  await expect.poll(() => programs.get('u-gsm', 'gsm.apn'), polled).toBe('nowhere')
  programs.fail('modify', 'NetworkManager is not running')
  await expect.poll(() => programs.times('gsm.apn super'), polled).toBeGreaterThan(1)
  // Reached meanwhile or not: what was begun to be undone is undone.
  server.isReached = () => true
  programs.fail('modify', undefined)
  await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 3, state: 'undone' })
  expect(programs.get('u-gsm', 'gsm.apn')).toBe('super')
})

test('without its programs it says so, and carries on once they are there', async () => {
  using programs = new TestPrograms()
  programs.uninstall('nmcli')
  programs.uninstall('mmcli')
  await using server = await new TestServer().start()
  await using _run = runAgent(server, noEngine)
  await server.want(2, [], network({ generation: 2, priority: ['eth0'] }))
  const words = 'NetworkManager is not there: its program nmcli is not installed'
  await expect.poll(() => server.lastNetwork(), polled).toMatchObject({ words, change: { generation: 2, state: 'failed', words } })
  await expect.poll(() => server.lastNetwork()?.modem_words, polled).toContain('mmcli is not installed')
})

test('a PIN is given to the SIM once; a wrong one, and the last try, never', async () => {
  using programs = new TestPrograms()
  await using server = await new TestServer().start()
  await using _run = runAgent(server, noEngine)
  programs.lock('sim-pin', 3)
  await server.want(2, [], network({ generation: 2, pin: { generation: 2, code: '9999' } }))
  await expect.poll(() => server.lastNetwork()?.pin, polled).toMatchObject({ generation: 2, state: 'refused' })
  expect(server.lastNetwork()!.pin!.words).toContain('incorrect password')
  expect(server.lastNetwork()!.modem).toMatchObject({ lock: 'sim-pin', imei: '867698041170442' })
  await server.want(3, [], network({ generation: 3, priority: ['eth0'], pin: { generation: 2, code: '9999' } }))
  await expect.poll(() => server.lastNetwork()?.change?.generation, polled).toBe(3)
  expect(programs.asked().filter((line) => line.includes('--pin'))).toHaveLength(1)
  programs.lock('sim-pin', 1)
  await server.want(4, [], network({ generation: 4, pin: { generation: 4, code: '1234' } }))
  await expect.poll(() => server.lastNetwork()?.pin, polled).toMatchObject({ generation: 4, state: 'failed' })
  expect(server.lastNetwork()!.pin!.words).toContain('Only one try is left')
  programs.lock('sim-pin', 3)
  await server.want(5, [], network({ generation: 5, pin: { generation: 5, code: '1234' } }))
  await expect.poll(() => server.lastNetwork()?.pin, polled).toMatchObject({ generation: 5, state: 'unlocked' })
  await expect.poll(() => server.lastNetwork()?.modem?.lock, polled).toBeNull()
  expect(JSON.stringify(server.all<ReportedNetwork>('network').map(({ pin, change }) => [pin, change]))).not.toMatch(/9999|1234/)
})

/** The agent as a process of its own, so that it can be killed. */
function startProcess(folder: string, server: TestServer) {
  const identity = { server: server.httpUrl(), url: server.url(), device_id: server.device_id, token: 'secret' }
  writeFileSync(join(folder, 'identity.json'), JSON.stringify(identity))
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
  const child = spawn(process.execPath, [main, 'run', '--dir', folder, '--engine', noEngine], { env: process.env, stdio: 'ignore' })
  return { child, ended: once(child, 'exit') }
}

test.each(['modify', 'modified', 'up'])('killed while nmcli is at %s, its next run puts everything back', async (verb) => {
  using programs = new TestPrograms()
  await using server = await new TestServer().start()
  const folder = mkdtempSync(join(tmpdir(), 'agent-'))
  server.isReached = () => programs.get('u-gsm', 'gsm.apn') === 'super'
  const first = startProcess(folder, server)
  await expect.poll(() => server.lastNetwork()?.manager, polled).toBeTruthy()
  programs.hang(verb)
  await server.want(2, [], network({ generation: 2, priority: ['wwan0', 'eth0'], apn: apnOf('nowhere') }))
  await expect.poll(() => programs.hanging(), polled).toBeTruthy()
  first.child.kill('SIGKILL')
  await first.ended
  programs.goOn(verb)
  const second = startProcess(folder, server)
  try {
    await expect
      .poll(() => server.lastNetwork()?.change, polled)
      .toMatchObject({ generation: 2, state: 'undone', words: 'The agent was interrupted before it reached the server with it' })
    expect(programs.get('u-gsm', 'gsm.apn')).toBe('super')
    expect(programs.get('u-gsm', 'gsm.password')).toBe('before')
    expect(programs.get('u-gsm', 'ipv4.route-metric')).toBe('700')
    expect(programs.get('u-eth', 'ipv4.route-metric')).toBe('-1')
  } finally {
    second.child.kill('SIGKILL')
    await second.ended
    rmSync(folder, { recursive: true, force: true })
  }
})

test('it connects to a Wi-Fi network, forgets it, says what is in reach, and comes back from one that loses the server', async () => {
  using programs = new TestPrograms()
  await using server = await new TestServer().start()
  await using _run = runAgent(server, noEngine)
  await expect
    .poll(() => server.lastNetwork()?.wifi?.networks.map(({ ssid, security }) => `${ssid} ${security}`), polled)
    .toEqual(['depot wpa2', 'eduroam enterprise', 'yard:1 wpa2', 'guest open', 'sae wpa3'])
  expect(server.lastNetwork()!.wifi!.networks[0]).toMatchObject({ signal_pct: 70, in_use: true, own: true })
  await server.command({ id: 'cmd_1', do: 'scan' })
  await expect.poll(() => server.lastNetwork()?.wifi?.scanned_at, polled).toBeTruthy()

  const yard = { ssid: 'yard', security: 'wpa2' as const, hidden: false, password: 'very-secret' }
  await server.want(2, [], network({ generation: 2, wifi: [yard] }))
  await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 2, state: 'kept' })
  expect(programs.asked()).toEqual([
    'nmcli connection delete id masthead yard',
    'nmcli connection add type wifi con-name masthead yard ifname * ssid yard -- 802-11-wireless.hidden no 802-11-wireless-security.key-mgmt wpa-psk 802-11-wireless-security.psk very-secret',
    expect.stringMatching(/^nmcli --wait \d+ connection up id masthead yard$/),
  ])
  server.isReached = () => !programs.has('masthead guest')
  await server.want(3, [], network({ generation: 3, wifi: [yard, { ssid: 'guest', security: 'open', hidden: false, password: null }] }))
  await expect.poll(() => programs.has('masthead guest'), polled).toBe(true)
  await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 3, state: 'undone' })
  expect(programs.has('masthead guest')).toBe(false)
  await server.want(4, [], network({ generation: 4, wifi: [] }))
  await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 4, state: 'kept' })
  expect(programs.has('masthead yard')).toBe(false)
  expect(JSON.stringify(server.heard)).not.toContain('very-secret')
})

test('a profile is added once with its progress, switched to on trial, and deleted; without a program it says so', async () => {
  using programs = new TestPrograms()
  await using server = await new TestServer().start()
  await using _run = runAgent(server, noEngine)
  await expect.poll(() => server.lastNetwork()?.esim, polled).toMatchObject({ words: null, eid: '89049032000001000000012345678901' })
  expect(server.lastNetwork()!.esim!.profiles.map(({ enabled }) => enabled)).toEqual([true, false])
  const add = (generation: number, code: string) => ({
    generation,
    do: 'add' as const,
    code: `LPA:1$smdp.example.com$${code}`,
    confirmation: null,
  })
  await server.want(2, [], network({ generation: 2, esim: add(2, 'USED-BEFORE') }))
  await expect
    .poll(() => server.lastNetwork()?.esim?.job, polled)
    .toMatchObject({ generation: 2, state: 'failed', words: 'es9p_authenticate_client: Refused' })
  await server.want(3, [], network({ generation: 3, esim: { ...add(3, 'GOOD'), name: 'Field' } }))
  await expect
    .poll(() => server.lastNetwork()?.esim?.job, polled)
    .toMatchObject({ generation: 3, state: 'done', words: null, iccid: '8931440400002815536' })
  expect(
    server
      .all<{ esim: { job: { step: string | null; percent: number } | null } | null }>('network')
      .some(({ esim }) => esim?.job?.step === 'es10b_prepare_download' && esim.job.percent > 0)
  ).toBe(true)
  await expect.poll(() => server.lastNetwork()?.esim?.profiles.map(({ name }) => name), polled).toEqual([null, null, 'Field'])
  const times = () => programs.asked().filter((line) => line.includes('download')).length
  expect(times()).toBe(2)
  expect(JSON.stringify(server.heard)).not.toContain('GOOD')

  // The server is lost with it: the one before is in use again.
  server.isReached = () => programs.profiles()[0] === '8931082017004430677 enabled'
  await server.want(4, [], network({ generation: 4, profile: '8931440400002815536', esim: add(3, 'GOOD') }))
  await expect.poll(() => programs.profiles()[2], polled).toBe('8931440400002815536 enabled')
  await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 4, state: 'undone' })
  expect(programs.profiles()[0]).toBe('8931082017004430677 enabled')
  server.isReached = () => true
  await server.want(5, [], network({ generation: 5, profile: '8931440400002815536' }))
  await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 5, state: 'kept' })
  await server.want(6, [], network({ generation: 6, esim: { generation: 6, do: 'delete', iccid: '8931440400002815534' } }))
  await expect.poll(() => server.lastNetwork()?.esim?.job, polled).toMatchObject({ generation: 6, do: 'delete', state: 'done' })
  expect(programs.profiles()).toEqual(['8931082017004430677 disabled', '8931440400002815536 enabled'])
  expect(times()).toBe(2)
})
