import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startAgent } from '@masthead/agent/agent'
import { openEngine } from '@masthead/agent/engine/engine'
import { realPlaces } from '@masthead/agent/host/vitals'
import { expect } from './fixtures.ts'

/** A device of the account that runs a real agent. Two tests at once take each their own (`nth`). */
export async function runDevice(page: Page, nth = 1) {
  const post = async (path: string, data?: object) => {
    const answer = await page.request.post(`/v1/${path}`, data ? { data } : {})
    expect(answer.ok(), await answer.text()).toBe(true)
    return (await answer.json()) as Record<string, string> & { mqtt_port: number }
  }
  const list = await page.request.get('/v1/assets?type=alpon_x4&page_size=8&sort=-name')
  const { items } = (await list.json()) as { items: { id: string; name: string }[] }
  const { id, name } = items[nth]!
  const { code } = await post(`assets/${id}/alpon/claim-code`)
  const { device_id, token, mqtt_port } = await post('devices/enrol', { code, host_name: 'truck' })
  const folder = mkdtempSync(join(tmpdir(), 'terminal-e2e-'))
  const agent = startAgent({
    login: { server: new URL(page.url()).origin, url: `mqtt://127.0.0.1:${mqtt_port}`, device_id: device_id!, token: token! },
    engine: openEngine('/nowhere'),
    places: realPlaces,
    notesPath: join(folder, 'notes.json'),
    say: () => {},
    reboot: () => {},
  })
  return {
    id,
    name,
    agent,
    async [Symbol.asyncDispose]() {
      await agent.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A simulated device of the demo that is online, and a container that runs on it. It asks what it is to run once a minute. */
export async function findSimulated(page: Page): Promise<{ id: string; container: string }> {
  const find = () =>
    page.evaluate(async () => {
      for (const type of ['alpon_x4', 'alpon_x5_ai', 'axis_gw']) {
        const list = (await (await fetch(`/v1/assets?type=${type}&page_size=100`)).json()) as { items: { id: string }[] }
        for (const asset of list.items) {
          const { device } = (await (await fetch(`/v1/assets/${asset.id}/device`)).json()) as {
            device: { presence: string; reported: { agent?: { containers?: { name: string; state: string }[] | null } } } | null
          }
          const container = device?.reported.agent?.containers?.find(({ state }) => state === 'running')
          if (device?.presence === 'online' && container) return { id: asset.id, container: container.name }
        }
      }
      return undefined
    })
  await expect.poll(find, { message: 'a simulated device runs a container', timeout: 90_000 }).toBeDefined()
  return (await find())!
}
