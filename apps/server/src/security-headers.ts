import type { HelmetOptions } from 'helmet'
import type { Config } from './kernel/config.ts'
import { apiOriginOf } from './kernel/http/console-address.ts'

/**
 * What a page of ours may load and talk to: itself, and exactly the services that are configured. The identity provider is not among them:
 * the browser goes there and comes back, and only the server talks to it.
 */
export function securityHeaders(config: Config): HelmetOptions {
  const { publicUrl, basePath, integrations } = config
  const { tagManager, cardProvider, brokerUrl, mapTiles } = integrations
  const api = apiOriginOf(config)
  // Below a path the host has neighbours: what they hand out is not ours. A trailing slash means all below it.
  const place = publicUrl && basePath ? `${new URL(publicUrl).origin}${basePath}/` : null
  const own = place ?? "'self'"
  const tags = tagManager ? [new URL(tagManager.script).origin, ...tagManager.hosts] : []
  const cards = cardProvider ? cardHosts(cardProvider.script) : { scripts: [], frames: [], calls: [] }
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: [own],
        scriptSrc: [own, ...tags, ...cards.scripts],
        styleSrc: [own],
        imgSrc: [own, 'data:', ...tags, ...(mapTiles ? [new URL(mapTiles.url).origin] : [])],
        connectSrc: [
          own,
          ...socketsOf(place),
          ...(api ? [api, ...socketsOf(api)] : []),
          ...tags,
          ...cards.calls,
          ...(brokerUrl ? [new URL(brokerUrl).origin] : []),
        ],
        ...(cards.frames.length > 0 && { frameSrc: cards.frames }),
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: [own],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: publicUrl?.startsWith('https:') ? { maxAge: 31_536_000, includeSubDomains: basePath === '' } : false,
    frameguard: { action: 'deny' },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
  }
}

/** The address of sockets at a place: a browser takes `https:` for no socket, other than `'self'`, which is any of its own host. */
const socketsOf = (place: string | null) => (place ? [place.replace(/^http/, 'ws')] : [])

/** Stripe's script draws its fields and its 3-D Secure in frames and calls an API of another name; a sandbox is one host for all. */
function cardHosts(sandbox: string | null) {
  if (sandbox) {
    const { origin } = new URL(sandbox)
    return { scripts: [origin], frames: [origin], calls: [origin] }
  }
  const scripts = ['https://js.stripe.com', 'https://*.js.stripe.com']
  return { scripts, frames: [...scripts, 'https://hooks.stripe.com'], calls: ['https://api.stripe.com'] }
}
