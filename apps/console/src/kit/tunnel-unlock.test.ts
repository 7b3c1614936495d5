import { createHash, randomBytes } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'

const command = randomBytes(18).toString('base64url')
const kept = new Map<string, string>()
beforeEach(() => {
  kept.clear()
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
})

const load = async (settings: object = { tunnels: createHash('sha256').update(command).digest('hex') }) => {
  vi.resetModules()
  vi.doMock('../api/settings.ts', () => ({ settings }))
  return import('./tunnel-unlock.ts')
}

test('only the installation’s command unlocks tunnels, for the browser’s session', async () => {
  const { unlockTunnels, useTunnels } = await load()
  expect(useTunnels.getState().unlocked).toBe(false)
  for (const wrong of ['', 'masthead', command.toUpperCase(), undefined, 7]) expect(await unlockTunnels(wrong)).toBe(false)
  expect([useTunnels.getState().unlocked, kept.size]).toEqual([false, 0])
  expect(await unlockTunnels(command)).toBe(true)
  expect(useTunnels.getState().unlocked).toBe(true)
  // A reload in the same session.
  const again = await load()
  expect(again.useTunnels.getState().unlocked).toBe(true)
})

test('where the browser cannot hash, nothing is unlocked', async () => {
  vi.stubGlobal('isSecureContext', false)
  const { unlockTunnels } = await load()
  expect(await unlockTunnels(command)).toBe(false)
})

test('a page that does not know the hash unlocks nothing', async () => {
  const { unlockTunnels } = await load({})
  expect(await unlockTunnels(undefined)).toBe(false)
  expect(await unlockTunnels('undefined')).toBe(false)
})
