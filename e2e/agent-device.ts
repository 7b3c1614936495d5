import type { Page } from '@playwright/test'
import { connectAsync } from 'mqtt'
import type { NetworkChange } from '@masthead/contract/devices/network/reported'
import {
  agentClientId,
  agentTopics,
  reportOf,
  type DesiredState,
  type Directive,
  type ReportedState,
} from '@masthead/contract/devices/agent/messages'

type Itself = { agent?: string; update?: ReportedState['update'] }

/** An asset whose device was never set up. `from`: that tests which run at once take others. */
export async function findBare(page: Page, from: 'first' | 'last' = 'first'): Promise<{ id: string; name: string }> {
  const list = await page.request.get('/v1/assets?type=alpon_x4&page_size=100&sort=name')
  const { items } = (await list.json()) as { items: { id: string; name: string }[] }
  for (const item of from === 'last' ? items.toReversed() : items) {
    const application = await page.request.get(`/v1/assets/${item.id}/alpon/containers`)
    if (((await application.json()) as { device: object | null }).device === null) return item
  }
  throw new Error('Every asset of the demo has a device')
}

/** Speaks as our agent does: sets itself up by a claim code, keeps a connection, reads what is wanted of it and says what it runs. */
export async function connectAgent(page: Page, code: string) {
  const claimed = await page.request.post('/v1/devices/enrol', { data: { code, host_name: 'truck' } })
  const { device_id, token, mqtt_port } = (await claimed.json()) as { device_id: string; token: string; mqtt_port: number }
  const device = await connectAsync(`mqtt://127.0.0.1:${mqtt_port}`, {
    clientId: agentClientId(device_id),
    username: device_id,
    password: token,
    protocolVersion: 4,
    reconnectPeriod: 0,
  })
  const { version } = (await (await page.request.get('/agent/agent.json')).json()) as { version: string }
  const topics = agentTopics(device_id)
  const directives: Directive[] = []
  device.on('message', (_topic, payload) => directives.push(JSON.parse(String(payload)) as Directive))
  await device.publishAsync(topics.birth, JSON.stringify({ seq: 0, ts: Date.now() / 1000 }), { qos: 1 })
  await device.subscribeAsync(topics.directives, { qos: 1 })
  const wanted = async () =>
    (await (await page.request.get('/v1/devices/desired', { headers: { 'X-Device-Key': `${device_id}:${token}` } })).json()) as DesiredState
  let mids = 0
  const say = (report: Parameters<typeof reportOf>) => device.publishAsync(topics.hive, JSON.stringify(reportOf(...report)), { qos: 1 })
  return {
    /** What it was sent. */
    directives,
    wanted,
    say,
    /** Says that each container is in a state since `seconds`, or in trouble; and of itself what else is given, or that it is as new as the server’s. */
    async report(problem: object | null, state: string, seconds = 0, { agent = version, update = null }: Itself = {}) {
      const { revision, containers } = await wanted()
      const now = new Date().toISOString()
      const all = containers.map((each) => ({
        name: each.name,
        generation: each.generation,
        state: each.run === 'stopped' ? 'exited' : state,
        image: each.image,
        digest: each.image.split('/').length > 2 ? null : `sha256:${'ab'.repeat(32)}`,
        health: null,
        started_at: new Date(Date.now() - seconds * 1000).toISOString(),
        exit_code: null,
        restarts: 0,
        cpu_pct: 4.1,
        memory_bytes: 86_200_000,
        problem,
      }))
      const versions = { agent, os: 'Debian 12', kernel: '6.6', engine: 'Docker 27.1.1' }
      const host = { name: 'truck', arch: 'arm64', model: null, serial: null }
      const rest = { at: now, seq: mids, started_at: now, booted_at: now, interfaces: [], engine_words: null, update }
      await say(['agent', { ...rest, revision, versions, host, containers: all } as never, `m${++mids}`])
    },
    /** Says how far it is with what is wanted of its network. */
    async reportNetwork(change: { state: NetworkChange['state']; words?: string; until?: string } | null, more: object = {}) {
      const { network } = await wanted()
      const now = new Date().toISOString()
      const of = (name: string, kind: string, metric: number | null, address?: string) => ({
        name,
        kind,
        up: address !== undefined,
        addresses: address ? [address] : [],
        metric,
        connection: address ? `${name} connection` : null,
        internet: address ? 'full' : null,
      })
      const report = {
        at: now,
        words: null,
        manager: 'NetworkManager 1.42.4',
        modem_words: null,
        interfaces: [of('eth0', 'E', null), of('wlan0', 'W', 600, '192.168.40.21'), of('wwan0', 'C', 700, '10.64.12.81')],
        apn: { name: 'super', user: null, has_password: false },
        modem: null,
        change: change && {
          generation: network?.generation ?? 0,
          words: null,
          began_at: now,
          until: null,
          ended_at: change.state === 'trial' ? null : now,
          ...change,
        },
        pin: null,
        ...more,
      }
      await say(['network', report as never, `n${++mids}`])
    },
    end: () => device.endAsync(),
  }
}
