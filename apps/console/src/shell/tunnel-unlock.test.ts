import { beforeEach, expect, test, vi } from 'vitest'

const kept = new Map<string, string>()
beforeEach(() => {
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
})

const load = async () => {
  vi.resetModules()
  return import('./tunnel-unlock.ts')
}

test('only the right name unlocks tunnels, for the browser’s session', async () => {
  const { unlockTunnels, useTunnels } = await load()
  expect(useTunnels.getState().unlocked).toBe(false)
  for (const wrong of ['', 'masthead', 'Lower-The-Drawbridge', undefined, 7]) expect(await unlockTunnels(wrong)).toBe(false)
  expect([useTunnels.getState().unlocked, kept.size]).toEqual([false, 0])
  expect(await unlockTunnels('lower-the-drawbridge')).toBe(true)
  expect(useTunnels.getState().unlocked).toBe(true)
  // A reload in the same session.
  const again = await load()
  expect(again.useTunnels.getState().unlocked).toBe(true)
})

test('where the browser cannot hash, nothing is unlocked', async () => {
  kept.clear()
  vi.stubGlobal('isSecureContext', false)
  const { unlockTunnels } = await load()
  expect(await unlockTunnels('lower-the-drawbridge')).toBe(false)
})
