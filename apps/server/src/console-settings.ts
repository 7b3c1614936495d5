import type { ConsoleSettings } from '@masthead/contract/kernel/settings'
import type { Config } from './kernel/config.ts'

/** What everybody may know of the configuration: it stands in the page. */
export const consoleSettings = ({ basePath, links, integrations, smtpUrl }: Config, tunnels: string | null): ConsoleSettings => {
  const { identity, tagManager, cardProvider, brokerUrl, registryHost, mapTiles } = integrations
  return {
    ...(basePath && { base_path: basePath }),
    links,
    mail: smtpUrl !== undefined,
    ...(identity && { identity: { name: identity.name, login_domain: new URL(identity.issuer).host } }),
    ...(tagManager && { tag_manager: { id: tagManager.id, script: tagManager.script } }),
    ...(cardProvider && {
      card_provider: { publishable_key: cardProvider.publishableKey, ...(cardProvider.script && { script: cardProvider.script }) },
    }),
    ...(tunnels && { tunnels }),
    ...(brokerUrl && { broker: brokerUrl }),
    ...(registryHost && { registry: registryHost }),
    ...(mapTiles && { map_tiles: mapTiles }),
  }
}
