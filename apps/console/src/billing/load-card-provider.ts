import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { settings } from '../api/settings.ts'

/** How long the script may take before one is notified, in milliseconds. */
export const cardScriptTimeout = 15_000

let loading: Promise<Stripe> | null = null

/** Whether this installation takes cards at all. */
export const takesCards = () => settings.card_provider !== undefined

/**
 * The card provider's client: made at the start, where the installation has one, and shared by who asks later. Throws in words when its
 * script does not come (blocked, offline); asked again it tries again.
 */
export function loadCardProvider(): Promise<Stripe> {
  if (!settings.card_provider) return Promise.reject(new Error('This installation takes no cards'))
  const { publishable_key, script } = settings.card_provider
  // A sandbox has a script of its own; where one is there already, the library takes it.
  const ready = script ? addScript(script) : Promise.resolve()
  loading ??= within(ready.then(() => loadStripe(publishable_key))).then(
    (client) => client ?? Promise.reject(notLoaded('its script is not what it should be'))
  )
  loading.catch(() => (loading = null))
  return loading
}

const notLoaded = (why: string, cause?: unknown) =>
  new Error(`The card form could not be loaded: ${why}. Check your connection and whether something blocks it, and try again.`, { cause })

/** What comes in time, or the words why it did not. */
function within<T>(asked: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(notLoaded('its script took too long')), cardScriptTimeout)
  })
  return Promise.race([asked.catch((cause: unknown) => Promise.reject(notLoaded('its script did not come', cause))), late]).finally(() =>
    clearTimeout(timer)
  )
}

const addScript = (src: string) =>
  new Promise<void>((resolve, reject) => {
    const known = document.querySelector(`script[src="${CSS.escape(src)}"]`)
    // One that is still under way is waited for: without its client the library would ask the real provider.
    if (known && 'Stripe' in globalThis) return resolve()
    const element = known ?? document.createElement('script')
    element.addEventListener('load', () => resolve())
    element.addEventListener('error', (event) => {
      element.remove()
      reject(new Error('The script did not load', { cause: event }))
    })
    if (known) return
    Object.assign(element, { src })
    document.head.append(element)
  })

/** Why what was asked of the provider failed: its own words, or that it could not be reached, for which browsers have words of their own. */
export const providerWords = (error: unknown): string =>
  error instanceof TypeError ? 'The card provider could not be reached. Check your connection, then try again.' : (error as Error).message
