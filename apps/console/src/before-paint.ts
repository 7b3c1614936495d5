// Runs before the first paint, as a script of its own: the content security policy allows no inline one. What it begins here is on its way while
// the console itself is still being fetched.
const chosen = localStorage.getItem('masthead-theme')
const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
document.documentElement.dataset.theme = dark ? 'dark' : 'light'

/** Which files the screen at an address needs, and what it asks the server first: written by the build (vite.config.ts). */
type Screens = { files: string[]; screens: [pattern: string, files: number[], asks: string[]][] }

const text = document.querySelector<HTMLMetaElement>('meta[name=masthead-screens]')?.content
// The console may stand below a path: it does where this script does.
const base = (document.currentScript as HTMLScriptElement | null)?.src.replace(/\/static\/[^/]*$/, '')

if (text && base !== undefined) {
  const { files, screens } = JSON.parse(text) as Screens
  const path =
    import.meta.env.VITE_ROUTER === 'history'
      ? location.pathname.slice(new URL(base).pathname.replace(/\/$/, '').length)
      : location.hash.slice(1).split('?')[0]
  const isAt = (pattern: string) => new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(path || '/')
  const [, needed = [], asks = []] = screens.find(([pattern]) => isAt(pattern)) ?? []
  for (const at of needed) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'modulepreload', href: `${base}/${files[at]}` })
    document.head.append(link)
  }
  const root = (import.meta.env.VITE_API_ROOT as string | undefined) ?? `${base}/v1`
  window.mastheadEarly = asks.map((asked) => {
    const url = new URL(root + asked, location.href).href
    const answer = fetch(url, { credentials: 'include', headers: { accept: 'application/json' } })
    // Whoever takes it gets its failure; without anybody it is none.
    answer.catch(() => {})
    return { url, answer, at: performance.now() }
  })
}
