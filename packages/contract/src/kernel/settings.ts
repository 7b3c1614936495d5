/** What an installation tells its console before anything is asked: in the page itself, so that it costs no request. */
export type ConsoleSettings = {
  /** Addresses from the configuration; null means our own page. */
  links: Record<'privacy' | 'terms' | 'community' | 'contact', string | null>
}

/** The name of the page's meta element that holds the settings as JSON. */
export const settingsName = 'masthead-settings'
