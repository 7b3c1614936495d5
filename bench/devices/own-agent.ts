import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAgent } from '@masthead/agent/agent'
import { openEngine } from '@masthead/agent/engine/engine'
import { realPlaces } from '@masthead/agent/host/vitals'
import type { Call } from './client.ts'
import { until } from './until.ts'

/** Runs a real agent in this process, as the device of an asset; it is online when this resolves. */
export async function runAgent(call: Call, url: string, asset: string) {
  const { code } = await call<{ code: string }>('POST', `assets/${asset}/alpon/claim-code`, {})
  const { device_id, token, mqtt_port } = await call<{ device_id: string; token: string; mqtt_port: number }>('POST', 'devices/enrol', {
    code,
  })
  const folder = mkdtempSync(join(tmpdir(), 'bench-agent-'))
  const agent = startAgent({
    login: { server: url, url: `mqtt://127.0.0.1:${mqtt_port}`, device_id, token },
    engine: openEngine('/nowhere'),
    places: realPlaces,
    notesPath: join(folder, 'notes.json'),
    say: () => {},
    reboot: () => {},
  })
  const stop = async () => {
    await agent.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  await until('A device that comes online', 60_000, () => isOnline(call, asset)).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { stop }
}

/** Whether the device of an asset is connected. */
export const isOnline = async (call: Call, asset: string): Promise<boolean> =>
  (await call<{ device: { presence: string } | null }>('GET', `assets/${asset}/device`)).device?.presence === 'online'
