import { create } from 'zustand'
import { settings } from '../api/settings.ts'

const key = 'masthead-tunnels'

/** Whether tunnel management is shown: hidden until unlocked, and remembered as long as the browser's session. */
export const useTunnels = create<{ unlocked: boolean }>(() => ({ unlocked: sessionStorage.getItem(key) === 'on' }))

async function sha256(text: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Unlocks tunnel management when the name is right, and says whether it was. It is of the installation (`npm run masthead -- tunnels command`);
 * the page has its hash alone. Browsers can hash only over HTTPS or on this machine.
 */
export async function unlockTunnels(name: unknown): Promise<boolean> {
  if (typeof name !== 'string' || !isSecureContext || (await sha256(name)) !== settings.tunnels) return false
  sessionStorage.setItem(key, 'on')
  useTunnels.setState({ unlocked: true })
  return true
}

/** Commands for the browser's console: `masthead('name')`. */
export const installCommands = () => Object.assign(window, { masthead: unlockTunnels })
