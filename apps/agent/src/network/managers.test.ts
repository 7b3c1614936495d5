import { expect, test } from 'vitest'
import { runAgent, TestServer } from '../test-server.ts'
import { nmcli, run, startManagers, whyNoManagers } from './test-managers.ts'
import { openModem } from './test-modem.ts'
import { network } from './test-wanted.ts'

// The same agent at the real NetworkManager and ModemManager, by `npm run nightly -- managers`: in a network of its own, with cables and a modem made here.
const isAsked = process.env.MASTHEAD_MANAGERS !== undefined
const reason = isAsked ? whyNoManagers() : 'MASTHEAD_MANAGERS is not set'
if (isAsked && reason) throw new Error(`The agent is not tested at NetworkManager and ModemManager: ${reason}`)

// The agent looks at its modem once a minute.
const polled = { timeout: 150_000, interval: 250 }

/** What the kernel has: the metric of the default route by each interface. */
const metrics = () => {
  const routes = JSON.parse(run('ip', '-j', 'route', 'show', 'default')) as { dev: string; metric: number }[]
  return Object.fromEntries(routes.map(({ dev, metric }) => [dev, metric]))
}
const stored = (field: string) => nmcli('-s', '-g', field, 'connection', 'show', 'cellular').trim()

test.skipIf(reason !== '')(
  'NetworkManager and ModemManager: the order of cables, a change that loses the server, a PIN, an APN with which there is no line',
  async () => {
    await using managers = await startManagers()
    using modem = await openModem('1234')
    for (const [i, name] of ['eth1', 'eth2'].entries()) {
      const address = [
        'ipv4.method',
        'manual',
        'ipv4.addresses',
        `10.9.${i}.2/24`,
        'ipv4.gateway',
        `10.9.${i}.1`,
        'ipv6.method',
        'disabled',
      ]
      nmcli('connection', 'add', 'type', 'ethernet', 'con-name', `cable ${i}`, 'ifname', name, '--', ...address)
      nmcli('connection', 'up', `cable ${i}`)
    }
    const apn = ['gsm.username', 'who', 'gsm.password', 'before', 'connection.autoconnect', 'no']
    nmcli('connection', 'add', 'type', 'gsm', 'con-name', 'cellular', 'ifname', '*', 'apn', 'super', '--', ...apn)
    managers.plugIn(modem.name)

    await using server = await new TestServer().start()
    await using _run = runAgent(server, '/nonexistent/engine', { trialLasts: 20_000 })
    try {
      await expect
        .poll(() => server.lastNetwork()?.modem, polled)
        .toMatchObject({
          manufacturer: 'Quectel',
          model: 'EG25-G',
          firmware: 'EG25GGBR07A08M2G',
          imei: '867698041170442',
          state: 'locked',
          lock: 'sim-pin',
          pin_tries: 3,
        })
      const { manager, interfaces, apn: reported } = server.lastNetwork()!
      expect(manager).toMatch(/^NetworkManager \d/)
      expect(reported).toEqual({ name: 'super', user: 'who', has_password: true })
      expect(
        interfaces.filter(({ connection }) => connection?.startsWith('cable')).map(({ name, kind, connection }) => [name, kind, connection])
      ).toEqual([
        ['eth1', 'E', 'cable 0'],
        ['eth2', 'E', 'cable 1'],
      ])

      await server.want(2, [], network({ generation: 2, priority: ['eth2', 'eth1'] }))
      await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 2, state: 'kept', words: null })
      expect(metrics()).toEqual({ eth2: 100, eth1: 200 })

      server.isReached = () => metrics().eth1 !== 100
      await server.want(3, [], network({ generation: 3, priority: ['eth1', 'eth2'] }))
      await expect.poll(() => metrics(), polled).toEqual({ eth1: 100, eth2: 200 })
      await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 3, state: 'undone' })
      expect(metrics()).toEqual({ eth2: 100, eth1: 200 })
      server.isReached = () => true

      await server.want(4, [], network({ generation: 4, pin: { generation: 4, code: '9999' } }))
      await expect.poll(() => server.lastNetwork()?.pin, polled).toMatchObject({ generation: 4, state: 'refused' })
      await expect.poll(() => server.lastNetwork()?.modem?.pin_tries, polled).toBe(2)
      await server.want(5, [], network({ generation: 5, pin: { generation: 5, code: '1234' } }))
      await expect.poll(() => server.lastNetwork()?.pin, polled).toMatchObject({ generation: 5, state: 'unlocked' })
      expect(modem.asked.filter((command) => command.startsWith('AT+CPIN='))).toEqual(['AT+CPIN="9999"', 'AT+CPIN="1234"'])
      await expect.poll(() => server.lastNetwork()?.modem?.lock, polled).toBeNull()

      await server.want(6, [], network({ generation: 6, apn: { name: 'nowhere', user: null, password: 'very-secret' } }))
      await expect.poll(() => server.lastNetwork()?.change, polled).toMatchObject({ generation: 6, state: 'failed' })
      expect(server.lastNetwork()!.change!.words).toMatch(
        /^Connection activation failed: No carrier could be established\. It is as before again/
      )
      expect(server.lastNetwork()!.change!.words).not.toContain('Hint')
      expect(modem.asked.some((command) => command.startsWith('AT+CGDCONT=1') && command.includes('nowhere'))).toBe(true)
      expect([stored('gsm.apn'), stored('gsm.username'), stored('gsm.password')]).toEqual(['super', 'who', 'before'])
      // NetworkManager has it switched on meanwhile.
      await expect
        .poll(() => server.lastNetwork()?.modem, polled)
        .toMatchObject({ operator: 'KPN', operator_code: '20408', signal_pct: 54 })
      expect(JSON.stringify(server.heard)).not.toContain('very-secret')
    } catch (error) {
      console.log(managers.log().slice(-8000))
      throw error
    }
  },
  600_000
)
