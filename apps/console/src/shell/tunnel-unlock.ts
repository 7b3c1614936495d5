import { create } from 'zustand'

const key = 'masthead-tunnels'

/** SHA-256 of the command's name. The name itself is nowhere in what the browser gets (spec §2). */
const expected = '95efa42c76cafd228149850d1abd01c7b436c5477335b9ae6f0f5703e2952f05'

/** Whether tunnel management is shown: hidden until unlocked, and remembered as long as the browser's session. */
export const useTunnels = create<{ unlocked: boolean }>(() => ({ unlocked: sessionStorage.getItem(key) === 'on' }))

async function sha256(text: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Unlocks tunnel management when the name is right, and says whether it was. Browsers can hash only over HTTPS or on this machine. */
export async function unlockTunnels(name: unknown): Promise<boolean> {
  if (typeof name !== 'string' || !isSecureContext || (await sha256(name)) !== expected) return false
  sessionStorage.setItem(key, 'on')
  useTunnels.setState({ unlocked: true })
  return true
}

/** Commands for the browser's console: `masthead('name')`. */
export const installCommands = () => Object.assign(window, { masthead: unlockTunnels })
