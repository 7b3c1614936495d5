/** What an installation gives its console before anything is asked: in the page itself, so that it costs no request. */
export type ConsoleSettings = {
  /** The path below which the console stands, like `/iot`; absent where it stands at the root of its host. */
  base_path?: string | undefined
  /** Addresses from the configuration; null means our own page. */
  links: Record<'privacy' | 'terms' | 'community' | 'contact', string | null>
  /** Whether mail is sent. */
  mail: boolean
  /** Absent where the installation does not have the service. */
  identity?: { name: string; login_domain: string } | undefined
  tag_manager?: { id: string; script: string } | undefined
  /** `script`: of a sandbox in place of the provider's own. */
  card_provider?: { publishable_key: string; script?: string } | undefined
  /** A messaging broker elsewhere, `wss://…`; ours is at `/mqtt`. */
  broker?: string | undefined
  /** A container registry elsewhere, host and port; ours is at the console's own. */
  registry?: string | undefined
  /** The SHA-256 in hex of the command that shows tunnel management. */
  tunnels?: string | undefined
  /** Streets under the maps: an address with `{z}`, `{x}`, `{y}`, and whose they are, as words. Without it the basemap is ours. */
  map_tiles?: { url: string; attribution: string } | undefined
}

/** The name of the page's meta element that holds the settings as JSON. */
export const settingsName = 'masthead-settings'
