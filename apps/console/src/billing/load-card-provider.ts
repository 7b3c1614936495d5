import { settings } from '../api/settings.ts'

/** The card provider's client, as its script makes it: what of it is used is said where it is used. */
export type CardProvider = Record<string, unknown>
type Factory = (publishableKey: string) => CardProvider

/** How long the script may take before one is notified, in milliseconds. */
export const cardScriptTimeout = 15_000

let loading: Promise<CardProvider> | null = null

/** Whether this installation takes cards at all. */
export const takesCards = () => settings.card_provider !== undefined

/**
 * The card provider's client, its script loaded the first time somebody is about to pay: its frames and cookies are on no other screen.
 * Throws in words when it does not come (blocked, offline); asked again it tries again.
 */
export function loadCardProvider(): Promise<CardProvider> {
  if (!settings.card_provider) return Promise.reject(new Error('This installation takes no cards'))
  const { publishable_key, script } = settings.card_provider
  loading ??= addScript(script).then(() => {
    const factory = (window as { Stripe?: Factory }).Stripe
    if (!factory) throw notLoaded('it is not what it should be')
    return factory(publishable_key)
  })
  loading.catch(() => (loading = null))
  return loading
}

const notLoaded = (why: string) =>
  new Error(`The card form could not be loaded: ${why}. Check your connection and whether something blocks it, and try again`)

function addScript(src: string): Promise<void> {
  const element = document.createElement('script')
  let timer: ReturnType<typeof setTimeout>
  return new Promise<void>((resolve, reject) => {
    element.addEventListener('load', () => resolve())
    element.addEventListener('error', () => reject(notLoaded('it did not come')))
    timer = setTimeout(() => reject(notLoaded('it took too long')), cardScriptTimeout)
    element.async = true
    element.src = src
    document.head.append(element)
  })
    .catch((error: unknown) => {
      element.remove()
      throw error
    })
    .finally(() => clearTimeout(timer))
}
