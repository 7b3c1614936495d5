import { settingsName, type ConsoleSettings } from '@masthead/contract/kernel/settings'

const text = document.querySelector<HTMLMetaElement>(`meta[name=${settingsName}]`)?.content

/** The installation's settings; without them (the gallery, a page not served by the server) everything is ours. */
export const settings: Partial<ConsoleSettings> = text ? (JSON.parse(text) as ConsoleSettings) : {}
