import { settingsName, type ConsoleSettings } from '@masthead/contract/kernel/settings'

const text = globalThis.document?.querySelector<HTMLMetaElement>(`meta[name=${settingsName}]`)?.content

/** The installation's settings; without them (the gallery, a page not served by the server) everything is ours. */
export const settings: Partial<ConsoleSettings> = text ? (JSON.parse(text) as ConsoleSettings) : {}

/** The path below which the console stands, like `/iot`; empty at the root of its host. */
export const basePath = settings.base_path ?? ''
